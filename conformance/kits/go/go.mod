module loopspec/kits/go

go 1.21
