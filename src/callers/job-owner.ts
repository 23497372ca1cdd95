/**
 * Whose turn a job takes: that of its key, or of its flow where it came without a known key. Owners have turns of their own, so
 * the jobs of one do not keep those of another waiting.
 */
export const jobOwner = (caller: { key: string } | { flow: string }): string =>
  'key' in caller ? `key:${caller.key}` : `flow:${caller.flow}`

export const isOfFlow = (owner: string): boolean => owner.startsWith('flow:')
