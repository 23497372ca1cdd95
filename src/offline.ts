import { existsSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { OfflineTools } from './contract/data-directory.ts'
import { DATA_FILES } from './contract/data-files.ts'

/**
 * The work of commands on a data directory without a server. The modules of the database are loaded when a command needs
 * them, so that other commands start quickly.
 */
export const offline: OfflineTools = {
  async open({ directory, address }) {
    if (address !== undefined) {
      const { openPostgresInstallation } = await import('./backend/postgres-installation.ts')
      return openPostgresInstallation(address)
    }
    const { openDatabase } = await import('./db/sqlite/database.ts')
    const { apiKeyStore } = await import('./db/repositories/api-keys.ts')
    const { flowStore } = await import('./db/repositories/flows.ts')
    const { refuseLostLog } = await import('./db/sqlite/log-check.ts')
    await refuseLostLog(directory)
    const database = openDatabase(directory)
    return {
      keys: apiKeyStore(database.sql),
      flows: flowStore(database.sql),
      async newSignInCode() {
        const { sessionStore } = await import('./db/repositories/sessions.ts')
        const { makeSignInCode } = await import('./callers/sign-in-code.ts')
        return makeSignInCode(sessionStore(database.sql), Date.now())
      },
      close: () => database.close(),
    }
  },

  async runningServer(directory) {
    const { hasServer } = await import('./db/directory.ts')
    const { notedAddress } = await import('./db/server-address.ts')
    if (!existsSync(directory) || !(await hasServer(directory))) return undefined
    const url = notedAddress(directory)
    return url === undefined ? {} : { url }
  },

  async backup(directory, file) {
    const { backupDirectory } = await import('./db/sqlite/backup.ts')
    return backupDirectory(directory, file)
  },

  async restore(file, directory) {
    const { restoreDirectory } = await import('./db/sqlite/restore.ts')
    return restoreDirectory(file, directory)
  },

  async rescue(request) {
    const { rescueDirectory } = await import('./db/rescue/rescue.ts')
    return rescueDirectory(request)
  },

  async move(request, note) {
    const { runMove } = await import('./db/move/run-move.ts')
    return runMove(request, note)
  },

  async rotateSecret(request) {
    const { rotateSecret } = await import('./db/rotate-secret.ts')
    return rotateSecret(request)
  },

  async verify(directory, address) {
    const { verifyDirectory } = await import('./db/sqlite/verify.ts')
    if (address === undefined) return verifyDirectory(directory)
    const { verifyPostgres } = await import('./db/postgres/verify.ts')
    const checks = await verifyPostgres(address)
    for (const { name, folder } of replicasIn(path.join(directory, DATA_FILES.replica))) {
      const ofReplica = (await verifyDirectory(folder)).filter(({ check }) => check !== 'uploads')
      checks.push(...ofReplica.map((one) => ({ ...one, check: `${name}: ${one.check}` })))
    }
    return checks
  },

  async verifyEngines(config, options) {
    const { verifyEngines } = await import('./backend/verify-engines.ts')
    return verifyEngines(config, options)
  },

  async checkEngine(config, request, signal) {
    const { checkEngine } = await import('./platform/check-engine.ts')
    return checkEngine(config, request, signal)
  },

  async dropReplica(directory) {
    const { lockDirectory } = await import('./db/directory.ts')
    const lock = await lockDirectory(directory)
    try {
      rmSync(path.join(directory, DATA_FILES.replica), { recursive: true, force: true })
    } finally {
      lock.release()
    }
  },

  async adoptSecret(place, setting) {
    const { adoptSecret } = await import('./db/adopt-secret.ts')
    return adoptSecret(place, setting)
  },
}

/** The databases of what a member searches: that of the indexes that it has copied, and one for each that it has fetched. */
function replicasIn(replica: string): { name: string; folder: string }[] {
  const fetched = path.join(replica, DATA_FILES.fetched)
  const names = existsSync(fetched) ? readdirSync(fetched).toSorted() : []
  return [
    { name: 'replica', folder: replica },
    ...names.map((name) => ({ name: `replica ${name}`, folder: path.join(fetched, name) })),
  ].filter(({ folder }) => existsSync(path.join(folder, DATA_FILES.database)))
}
