// Square matrix products into a wider or equal type.  $N by $N.
func.func @f32(%a: tensor<$Nx$Nxf32>, %b: tensor<$Nx$Nxf32>) -> tensor<$Nx$Nxf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<$Nx$Nxf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<$Nx$Nxf32>) -> tensor<$Nx$Nxf32>
  %r = linalg.matmul ins(%a, %b : tensor<$Nx$Nxf32>, tensor<$Nx$Nxf32>) outs(%f : tensor<$Nx$Nxf32>) -> tensor<$Nx$Nxf32>
  return %r : tensor<$Nx$Nxf32>
}
func.func @f16(%a: tensor<$Nx$Nxf16>, %b: tensor<$Nx$Nxf16>) -> tensor<$Nx$Nxf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<$Nx$Nxf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<$Nx$Nxf32>) -> tensor<$Nx$Nxf32>
  %r = linalg.matmul ins(%a, %b : tensor<$Nx$Nxf16>, tensor<$Nx$Nxf16>) outs(%f : tensor<$Nx$Nxf32>) -> tensor<$Nx$Nxf32>
  return %r : tensor<$Nx$Nxf32>
}
func.func @bf16(%a: tensor<$Nx$Nxbf16>, %b: tensor<$Nx$Nxbf16>) -> tensor<$Nx$Nxf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<$Nx$Nxf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<$Nx$Nxf32>) -> tensor<$Nx$Nxf32>
  %r = linalg.matmul ins(%a, %b : tensor<$Nx$Nxbf16>, tensor<$Nx$Nxbf16>) outs(%f : tensor<$Nx$Nxf32>) -> tensor<$Nx$Nxf32>
  return %r : tensor<$Nx$Nxf32>
}
func.func @i8(%a: tensor<$Nx$Nxi8>, %b: tensor<$Nx$Nxi8>) -> tensor<$Nx$Nxi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<$Nx$Nxi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<$Nx$Nxi32>) -> tensor<$Nx$Nxi32>
  %r = linalg.matmul ins(%a, %b : tensor<$Nx$Nxi8>, tensor<$Nx$Nxi8>) outs(%f : tensor<$Nx$Nxi32>) -> tensor<$Nx$Nxi32>
  return %r : tensor<$Nx$Nxi32>
}
