import { loopWhile, select } from '../kit/wasm/code.ts'
import { type WasmFunction, wasmFunction } from '../kit/wasm/module.ts'
import { f32, i32, i32x4, v128 } from '../kit/wasm/operations.ts'
import { advance, range, repeat, writeHit } from './kernel-parts.ts'

/** The most columns of 16 numbers that are written out one after another; longer rows repeat such a part. */
const UNROLLED = 32

/**
 * `scan(list, end, hits, codes, scales, norms, query, offset, weight, threshold, cosine, euclidean)`: goes through a list of
 * slots (int32, from `list` to `end`), writes a hit for each score above the threshold and returns the end of the hits.
 *
 * A slot has `stride` codes from 0 to 127 that stand for as many whole numbers from -64 on; the query's codes are int8,
 * and `offset` is 64 times their sum. The score is numbers · query × weight × scale; over the norm where `cosine` is 1;
 * minus the norm squared where `euclidean` is 1. A slot whose scale is NaN scores NaN, which is above no threshold: so
 * removed slots are skipped.
 */
export const scan = (stride: number): WasmFunction =>
  wasmFunction(
    'scan',
    {
      ...{ list: 'i32', end: 'i32', hits: 'i32', codes: 'i32', scales: 'i32', norms: 'i32', query: 'i32' },
      ...{ offset: 'i32', weight: 'f32', threshold: 'f32', cosine: 'i32', euclidean: 'i32' },
    },
    (
      { list, end, hits, codes, scales, norms, query, offset, weight, threshold, cosine, euclidean },
      variable,
    ) => {
      const slot = variable('i32')
      const row = variable('i32')
      const factor = variable('i32')
      const products = variable('v128')
      const norm = variable('f32')
      const score = variable('f32')
      const addProducts = (at: number) =>
        products.set(i32x4.relaxedDotI8x16I7x16Add(v128.load(factor, at), v128.load(row, at), products))
      const wordOf = (array: typeof norms) => f32.load(i32.add(array, i32.mul(slot, i32.const(4))))
      const product = f32.convertI32(
        i32.sub(
          range(4)
            .map((lane) => i32x4.extract(products, lane))
            .reduce((left, right) => i32.add(left, right)),
          offset,
        ),
      )
      return {
        steps: [
          loopWhile(i32.ltU(list, end), [
            slot.set(i32.load(list)),
            advance(list, 4),
            row.set(i32.add(codes, i32.mul(slot, i32.const(stride)))),
            factor.set(query),
            products.set(v128.zero),
            ...repeat(variable('i32'), stride / 16, UNROLLED, (columns) => [
              ...range(columns).map((column) => addProducts(column * 16)),
              advance(row, columns * 16),
              advance(factor, columns * 16),
            ]),
            norm.set(wordOf(norms)),
            score.set(
              f32.sub(
                f32.div(
                  f32.mul(f32.mul(product, weight), wordOf(scales)),
                  select(cosine, norm, f32.const(1)),
                ),
                select(euclidean, f32.mul(norm, norm), f32.const(0)),
              ),
            ),
            ...writeHit(f32.gt(score, threshold), hits, slot, score),
          ]),
        ],
        result: hits,
      }
    },
  )
