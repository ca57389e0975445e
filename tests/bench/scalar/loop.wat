(module
 (func (export "run") (param $outer i32) (result i32)
  (local $i i32) (local $j i32) (local $acc i32)
  (local.set $acc (i32.const 1))
  (loop $L
    (local.set $j (i32.const 0))
    (loop $M
      (local.set $acc (i32.xor (i32.add (local.get $acc) (local.get $j)) (local.get $i)))
      (br_if $M (i32.lt_s (local.tee $j (i32.add (local.get $j) (i32.const 1))) (i32.const 10000))))
    (br_if $L (i32.lt_s (local.tee $i (i32.add (local.get $i) (i32.const 1))) (local.get $outer))))
  (local.get $acc)))
