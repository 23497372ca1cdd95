import type { Credential } from '../../server/credentials.ts'

/** The addresses that a credential can be tested with: those that flows call with it, then the one of the provider. */
export function addressesOf(usedBy: Credential['usedBy'], provider: string | null): string[] {
  const used = (usedBy ?? []).flatMap(({ nodes }) => nodes.map(({ address }) => address ?? provider))
  return [...new Set([...used, provider])].filter((address) => address !== null)
}
