local function fib(n)
  if n < 2 then return n end
  return fib(n - 1) + fib(n - 2)
end
local sum = 0
for _ = 1, tonumber(arg[1]) do sum = sum + fib(24) end
print(string.format("%.0f", sum))
