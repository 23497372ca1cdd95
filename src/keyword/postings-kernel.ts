import { type Local, loopWhile, select, type Step, type Value, when } from '../kit/wasm/code.ts'
import { type WasmFunction, wasmFunction } from '../kit/wasm/module.ts'
import { f32, f32x4, i32, i32x4, i8x16, v128 } from '../kit/wasm/operations.ts'
import { advance, range } from '../vector/kernel-parts.ts'
import { BLOCK, BLOCK_HEADER } from './block.ts'

/** The rows of a table of scores: the dampings first, then the scores of 1 to 15 occurrences. */
export const TABLE_ROWS = 16
/** 256 length classes as float32. */
const ROW_BYTES = 1024

/**
 * `fillTable(table, weight)`: writes the score of 1 to 15 occurrences in a passage of each length class after the dampings,
 * which are the first row: weight × (occurrences ÷ (occurrences + damping)), each step rounded to float32.
 */
export const fillTable = (): WasmFunction =>
  wasmFunction('fillTable', { table: 'i32', weight: 'f32' }, ({ table, weight }, variable) => {
    const end = variable('i32')
    const counts = (row: number) => f32x4.splat(f32.const(row))
    return {
      steps: [
        end.set(i32.add(table, i32.const(ROW_BYTES))),
        loopWhile(i32.ltU(table, end), [
          ...range(TABLE_ROWS - 1).map((at) =>
            v128.store(
              table,
              f32x4.mul(
                f32x4.splat(weight),
                f32x4.div(counts(at + 1), f32x4.add(counts(at + 1), v128.load(table))),
              ),
              (at + 1) * ROW_BYTES,
            ),
          ),
          advance(table, 16),
        ]),
      ],
    }
  })

type L = Local<'i32'>

type Arrays = { table: Local<'i32'>; classes: Local<'i32'>; scores: Local<'i32'>; weight: Local<'f32'> }

/**
 * Adds the score of a passage with so many repeats; the last three are variables for its steps.
 *
 * @param inTable whether no number of repeats is too large for the table
 */
function addScore(
  { table, classes, scores, weight }: Arrays,
  passage: Value<'i32'>,
  repeats: Value<'i32'> | undefined,
  inTable: boolean,
  [at, place, count]: [Local<'i32'>, Local<'i32'>, Local<'f32'>],
): Step[] {
  const add = (score: Value<'f32'>) => f32.store(at, f32.add(f32.load(at), score))
  const steps = [
    place.set(i32.add(table, i32.shl(i32.load8(i32.add(classes, passage)), i32.const(2)))),
    at.set(i32.add(scores, i32.shl(passage, i32.const(2)))),
  ]
  if (!repeats) return [...steps, add(f32.load(place, ROW_BYTES))]
  const addFromTable = add(f32.load(i32.add(place, i32.shl(repeats, i32.const(10))), ROW_BYTES))
  if (inTable) return [...steps, addFromTable]
  const isFew = i32.ltU(repeats, i32.const(TABLE_ROWS - 1))
  return [
    ...steps,
    when(isFew, [addFromTable]),
    when(i32.eqz(isFew), [
      count.set(f32.convertI32(i32.add(repeats, i32.const(1)))),
      add(f32.mul(weight, f32.div(count, f32.add(count, f32.load(place))))),
    ]),
  ]
}

/**
 * `addBlocks(list, blocks, table, classes, scores, weight, limit, wanted)`: adds the score of a term to that of each
 * passage in the blocks of a list, and returns the end of the blocks. Left out are blocks that can only add less than the
 * limit, and, where `wanted` is not 0, blocks without one of the passages there: numbers in ascending order, 2³² − 1 after
 * them. The list has four bytes 255 after its end.
 */
export const addBlocks = (): WasmFunction =>
  wasmFunction(
    'addBlocks',
    {
      ...{ list: 'i32', blocks: 'i32', table: 'i32', classes: 'i32', scores: 'i32' },
      ...{ weight: 'f32', limit: 'f32', wanted: 'i32' },
    } as const,
    ({ list, blocks, table, classes, scores, weight, limit, wanted }, variable) => {
      const [gapBits, repeatBits, next, most, take] = variables(variable)
      const [rows, bit, repeatBit, word, shift] = variables(variable)
      const spare: [L, L, Local<'f32'>] = [variable('i32'), variable('i32'), variable('f32')]
      const [passage, repeats] = [variable('i32'), variable('i32')]
      const [four, last, others] = [variable('v128'), variable('v128'), variable('v128')]
      const arrays = { table, classes, scores, weight }

      /** The next four numbers of packed bits; see `packBits`. */
      const unpacked = (bytes: Value<'i32'>, at: L, bits: L, into: Local<'v128'>): Step[] => [
        word.set(i32.add(bytes, i32.shl(i32.shrU(at, i32.const(5)), i32.const(4)))),
        shift.set(i32.and(at, i32.const(31))),
        into.set(
          v128.and(
            v128.or(
              i32x4.shrU(v128.load(word), shift),
              i32x4.shl(i32x4.shl(v128.load(word, 16), i32.const(1)), i32.sub(i32.const(31), shift)),
            ),
            i32x4.splat(i32.sub(i32.shl(i32.const(1), bits), i32.const(1))),
          ),
        ),
        at.set(i32.add(at, bits)),
      ]
      /** The lanes moved up by some, zeros below. */
      const raised = (lanes: number) =>
        i8x16.shuffle(
          v128.zero,
          four,
          range(16).map((byte) => 16 - 4 * lanes + byte),
        )
      const gapsAt = i32.add(list, i32.const(BLOCK_HEADER))
      const rowOf = (withRepeats: boolean, inTable: boolean): Step[] => [
        ...unpacked(gapsAt, bit, gapBits, four),
        four.set(i32x4.add(four, i32x4.splat(i32.const(1)))),
        four.set(i32x4.add(four, raised(1))),
        four.set(i32x4.add(four, raised(2))),
        four.set(i32x4.add(four, last)),
        last.set(
          i8x16.shuffle(
            four,
            four,
            range(16).map((byte) => 12 + (byte & 3)),
          ),
        ),
        ...(withRepeats
          ? unpacked(i32.add(gapsAt, i32.shl(gapBits, i32.const(4))), repeatBit, repeatBits, others)
          : []),
        ...range(4).flatMap((lane) => [
          passage.set(i32x4.extract(four, lane)),
          ...(withRepeats ? [repeats.set(i32x4.extract(others, lane))] : []),
          ...addScore(arrays, passage, withRepeats ? repeats : undefined, inTable, spare),
        ]),
        rows.set(i32.sub(rows, i32.const(1))),
      ]
      const top = select(
        i32.ltU(most, i32.const(TABLE_ROWS)),
        f32.load(
          i32.add(
            i32.add(table, i32.mul(i32.and(most, i32.const(TABLE_ROWS - 1)), i32.const(ROW_BYTES))),
            i32.shl(i32.load8(list, 7), i32.const(2)),
          ),
        ),
        weight,
      )
      return {
        steps: [
          loopWhile(blocks, [
            gapBits.set(i32.load8(list, 4)),
            repeatBits.set(i32.load8(list, 5)),
            most.set(i32.load8(list, 6)),
            next.set(i32.add(gapsAt, i32.shl(i32.add(gapBits, repeatBits), i32.const(4)))),
            take.set(f32.ge(top, limit)),
            when(wanted, [
              loopWhile(i32.ltU(i32.load(wanted), i32.load(list)), [advance(wanted, 4)]),
              take.set(i32.and(take, i32.ltU(i32.load(wanted), i32.load(next)))),
            ]),
            when(take, [
              rows.set(i32.const(BLOCK / 4)),
              bit.set(i32.const(0)),
              repeatBit.set(i32.const(0)),
              last.set(i32x4.splat(i32.sub(i32.load(list), i32.const(1)))),
              when(i32.eqz(repeatBits), [loopWhile(rows, rowOf(false, true))]),
              // The loop that was taken leaves no rows to the ones after it.
              when(i32.ltU(most, i32.const(TABLE_ROWS)), [loopWhile(rows, rowOf(true, true))]),
              loopWhile(rows, rowOf(true, false)),
            ]),
            list.set(next),
            blocks.set(i32.sub(blocks, i32.const(1))),
          ]),
        ],
        result: list,
      }
    },
  )

/** Five variables. */
const variables = (variable: (kind: 'i32') => L): [L, L, L, L, L] => [
  variable('i32'),
  variable('i32'),
  variable('i32'),
  variable('i32'),
  variable('i32'),
]

/**
 * `addRest(at, count, passage, table, classes, scores, weight)`: the same for so many postings as varints; `passage` is
 * what the first distance counts from.
 */
export const addRest = (): WasmFunction =>
  wasmFunction(
    'addRest',
    {
      ...{ at: 'i32', count: 'i32', passage: 'i32', table: 'i32', classes: 'i32', scores: 'i32' },
      weight: 'f32',
    } as const,
    ({ at, count, passage, table, classes, scores, weight }, variable) => {
      const [byte, number, shift, step, repeats] = variables(variable)
      const spare: [L, L, Local<'f32'>] = [variable('i32'), variable('i32'), variable('f32')]
      const readVarint = (into: L): Step[] => [
        byte.set(i32.load8(at)),
        advance(at, 1),
        number.set(i32.and(byte, i32.const(127))),
        shift.set(i32.const(7)),
        loopWhile(i32.gtU(byte, i32.const(127)), [
          byte.set(i32.load8(at)),
          advance(at, 1),
          number.set(i32.or(number, i32.shl(i32.and(byte, i32.const(127)), shift))),
          shift.set(i32.add(shift, i32.const(7))),
        ]),
        into.set(number),
      ]
      return {
        steps: [
          loopWhile(count, [
            ...readVarint(step),
            passage.set(i32.add(passage, i32.shrU(step, i32.const(1)))),
            repeats.set(i32.const(0)),
            when(i32.and(step, i32.const(1)), readVarint(repeats)),
            ...addScore({ table, classes, scores, weight }, passage, repeats, false, spare),
            count.set(i32.sub(count, i32.const(1))),
          ]),
        ],
      }
    },
  )
