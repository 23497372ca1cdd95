import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loopWhile, select, signed, unsigned, when } from './code.ts'
import { instantiate, wasmFunction, wasmMemory, wasmModule } from './module.ts'
import { f32, i32, v128 } from './operations.ts'

test('wasmModule runs a loop with variables, conditions and memory', () => {
  const sumOfEven = wasmFunction(
    'sumOfEven',
    { address: 'i32', count: 'i32' },
    ({ address, count }, variable) => {
      const sum = variable('i32')
      const odd = variable('i32')
      return {
        steps: [
          loopWhile(count, [
            when(i32.eqz(odd), [sum.set(i32.add(sum, i32.load(address)))]),
            odd.set(select(odd, i32.const(0), i32.const(1))),
            address.set(i32.add(address, i32.const(4))),
            count.set(i32.sub(count, i32.const(1))),
          ]),
        ],
        result: sum,
      }
    },
  )
  const memory = wasmMemory(64)
  new Int32Array(memory.buffer).set([3, 100, -5, 100, 70_000, 100])
  const functions = instantiate(wasmModule([sumOfEven], { shared: false }), memory)
  assert.equal(functions.sumOfEven!(0, 6), 70_000 + 3 - 5)
  assert.equal(functions.sumOfEven!(0, 0), 0)
})

test('wasmModule works on a shared memory, with floats and vectors', () => {
  const copy = wasmFunction('copy', { from: 'i32', to: 'i32', plus: 'f32' }, ({ from, to, plus }) => ({
    steps: [v128.store(to, v128.load(from)), f32.store(to, f32.add(f32.load(to, 4), plus), 4)],
  }))
  const memory = wasmMemory(64, 65536 * 3, true)
  const numbers = new Float32Array(memory.buffer)
  numbers.set([1, 2, 3, 4])
  instantiate(wasmModule([copy], { shared: true }), memory).copy!(0, 16, 0.5)
  assert.ok(memory.buffer instanceof SharedArrayBuffer)
  assert.deepEqual([...numbers.subarray(4, 8)], [1, 2.5, 3, 4])
})

test('unsigned and signed write LEB128', () => {
  assert.deepEqual(unsigned(0), [0])
  assert.deepEqual(unsigned(624_485), [0xe5, 0x8e, 0x26])
  assert.deepEqual(unsigned(4_294_967_295), [0xff, 0xff, 0xff, 0xff, 0x0f])
  assert.deepEqual(signed(-123_456), [0xc0, 0xbb, 0x78])
  assert.deepEqual(signed(64), [0xc0, 0x00])
  assert.deepEqual(signed(-64), [0x40])
})
