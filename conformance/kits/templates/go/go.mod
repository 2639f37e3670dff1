module loopspec-adapter

go 1.21
