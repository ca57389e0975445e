util.global private mutable @a = -6 : i200
util.func @f() {
  util.return
}
func.func @g(%m: vector<4xi1>, %x: vector<4xi200>) -> vector<4xi200> {
  %0 = vector.mask %m { arith.divui %x, %x : vector<4xi200> } : vector<4xi1> -> vector<4xi200>
  return %0 : vector<4xi200>
}
