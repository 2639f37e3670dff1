module loopspec

go 1.21
