(module
 (memory 65)
 (func (export "run") (param $reps i32) (result i32)
  (local $i i32) (local $idx i32) (local $sum i32) (local $x i32) (local $max f32) (local $v f32)
  (local.set $x (i32.const 12345))
  (loop $I
    (local.set $x (i32.add (i32.mul (local.get $x) (i32.const 1664525)) (i32.const 1013904223)))
    (f32.store (i32.shl (local.get $i) (i32.const 2)) (f32.convert_i32_s (i32.shr_s (local.get $x) (i32.const 8))))
    (br_if $I (i32.lt_s (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 1000000))))
  (loop $R
    (local.set $i (i32.const 0))
    (local.set $idx (i32.const 0))
    (local.set $max (f32.const -inf))
    (loop $M
      (if (f32.gt (local.tee $v (f32.load (i32.shl (local.get $i) (i32.const 2)))) (local.get $max))
        (then (local.set $max (local.get $v)) (local.set $idx (local.get $i))))
      (br_if $M (i32.lt_s (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 1000000))))
    (local.set $sum (i32.add (local.get $sum) (local.get $idx)))
    (br_if $R (local.tee $reps (i32.sub (local.get $reps) (i32.const 1)))))
  (local.get $sum)))
