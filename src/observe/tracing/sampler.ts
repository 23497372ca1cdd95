import type { SamplerName } from '../../kit/tracing.ts'

/** Decides whether a trace is recorded. @param parent whether the caller records it; undefined without a caller */
export type Sampler = (traceId: string, parent: boolean | undefined) => boolean

/** @param share of traces for the samplers by ratio, from 0 to 1 */
export function createSampler(name: SamplerName, share: number): Sampler {
  const root = rootSampler(name, share)
  return (traceId, parent) => (name.startsWith('parentbased_') ? (parent ?? root(traceId)) : root(traceId))
}

function rootSampler(name: SamplerName, share: number): (traceId: string) => boolean {
  if (name.endsWith('always_on')) return () => true
  if (name.endsWith('always_off')) return () => false
  // All services that see a trace decide alike: by its id, which is random.
  return (traceId) => Number.parseInt(traceId.slice(-13), 16) < share * 2 ** 52
}
