import { readModelFile } from './model-file.ts'
import { RowSum, rowSumBytes } from './row-sum.ts'
import { Tokenizer } from './tokenizer.ts'

/** A table of token vectors: a text's vector is the sum over its tokens, brought to length 1. */
export class StaticModel {
  readonly id: string
  readonly dimensions: number
  readonly #tokenizer: Tokenizer
  readonly #rows: RowSum

  private constructor(id: string, dimensions: number, tokenizer: Tokenizer, rows: RowSum) {
    this.id = id
    this.dimensions = dimensions
    this.#tokenizer = tokenizer
    this.#rows = rows
  }

  /** @throws SluiceError `model_unusable` */
  static async load(path: string): Promise<StaticModel> {
    const file = await readModelFile(path, rowSumBytes)
    return new StaticModel(file.id, file.dimensions, new Tokenizer(file.vocabulary), new RowSum(file))
  }

  /** The ids of a text's tokens, in order. */
  tokens(text: string): number[] {
    return this.#tokenizer.tokens(text)
  }

  /**
   * Adds the rows of a text's tokens to `sums`, which starts as {@link dimensions} zeros; returns the number of
   * tokens.
   */
  addTo(sums: Float64Array, text: string): number {
    const tokens = this.tokens(text)
    this.#rows.addTo(sums, tokens)
    return tokens.length
  }

  /** A text's vector, in one go; all zeros where the text has no known token. */
  embed(text: string): Float32Array {
    const sums = new Float64Array(this.dimensions)
    this.addTo(sums, text)
    return unitVector(sums)
  }
}

/** The vector of length 1 in the direction of `sums`, written to `vector`; zeros stay zeros. */
export function unitVector(sums: Float64Array, vector = new Float32Array(sums.length)): Float32Array {
  let squares = 0
  for (let at = 0; at < sums.length; at++) squares += sums[at]! * sums[at]!
  const length = Math.sqrt(squares)
  if (length > 0) for (let at = 0; at < sums.length; at++) vector[at] = sums[at]! / length
  return vector
}
