import assert from 'node:assert/strict'
import { test } from 'node:test'

/** Notes which methods of some objects are called. */
export type CalledMethods = {
  /**
   * The same object, whose calls are noted.
   *
   * @param name of its type
   * @param made the methods that answer another such object, each with the name of its type
   */
  watch<T extends object>(name: string, object: T, made?: Readonly<Record<string, string>>): T
  /** The methods of all watched objects that were never called, as `Type.method`. */
  uncalled(): string[]
}

export function calledMethods(): CalledMethods {
  const known = new Set<string>()
  const called = new Set<string>()

  function watch<T extends object>(name: string, object: T, made: Readonly<Record<string, string>> = {}): T {
    for (const [key, { value }] of Object.entries(Object.getOwnPropertyDescriptors(object)))
      if (typeof value === 'function') known.add(`${name}.${key}`)
    const watchResult = (key: string, result: unknown): unknown => {
      if (result instanceof Promise) return result.then((settled) => watchResult(key, settled))
      const type = made[key]
      return type !== undefined && typeof result === 'object' && result !== null
        ? watch(type, result)
        : result
    }
    return new Proxy(object, {
      get(target, key, receiver) {
        const value: unknown = Reflect.get(target, key, receiver)
        if (typeof value !== 'function' || typeof key !== 'string') return value
        return (...values: unknown[]) => {
          called.add(`${name}.${key}`)
          return watchResult(key, Reflect.apply(value, target, values))
        }
      },
    })
  }

  return { watch, uncalled: () => [...known].filter((method) => !called.has(method)).toSorted() }
}

/**
 * Declares the last test of a file: the tests before it have called every method. A new method of a contract is of every implementation,
 * since the compiler demands it, so without a test it is found here.
 */
export function everyMethodIsCalled(name: string, methods: CalledMethods): void {
  const some = process.execArgv.some((option) => /^--test-(name|only|skip)/.test(option))
  test(
    `${name}: each method of a contract is called in its suite`,
    { skip: some && 'only some tests were asked for' },
    () => assert.deepEqual(methods.uncalled(), []),
  )
}
