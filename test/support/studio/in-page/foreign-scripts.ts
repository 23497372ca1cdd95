/** Runs in the page: what comes of attempts to run another script than the PDF worker. */
export function foreignScripts(): string[] {
  const { trustedTypes } = globalThis as unknown as {
    trustedTypes: { createPolicy(name: string, rules: object): unknown }
  }
  const attempts = [
    () => new Worker('/assets/other.js'),
    () => trustedTypes.createPolicy('other', {}),
    () => trustedTypes.createPolicy('sluice-pdf-worker', {}),
  ]
  return attempts.map((attempt) => {
    try {
      attempt()
      return 'allowed'
    } catch (error) {
      return (error as Error).name
    }
  })
}
