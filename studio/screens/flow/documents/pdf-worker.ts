import workerAddress from 'pdfjs-dist/build/pdf.worker.min.mjs?url'

/* The policy of the studio's page (src/server/routes/studio.ts) allows Trusted Types of this one name. */
const POLICY = 'sluice-pdf-worker'

type ScriptPolicy = { createScriptURL(address: string): string }
type PolicyFactory = { createPolicy(name: string, rules: ScriptPolicy): ScriptPolicy }

let policy: ScriptPolicy | undefined

/** Starts the worker of pdf.js from the file of this server; no other script has the permission to be a worker. */
export function startPdfWorker(): Worker {
  policy ??= makePolicy()
  return new Worker(policy.createScriptURL(workerAddress), { type: 'module' })
}

function makePolicy(): ScriptPolicy {
  const rules: ScriptPolicy = {
    createScriptURL(address) {
      if (address !== workerAddress) throw new TypeError('Not the address of the PDF worker')
      return address
    },
  }
  // Browsers without Trusted Types have no factory.
  const { trustedTypes } = globalThis as { trustedTypes?: PolicyFactory }
  return trustedTypes?.createPolicy(POLICY, rules) ?? rules
}
