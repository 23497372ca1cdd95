import { sha256 } from '../../kit/hash.ts'

/** The longest name of a tool that providers accept. */
const LONGEST = 64
const HASH = 8

/**
 * Makes names for operations, one after the other: their ids if these are valid, else method and path. The same
 * description gives the same names; a name that is cut or already used ends in a hash of method and path.
 */
export function createNames(): (method: string, path: string, operationId: string | undefined) => string {
  const taken = new Set<string>()
  return (method, path, operationId) => {
    const wanted = sanitised(operationId ?? '') || nameFromPath(method, path)
    const hash = sha256(`${method} ${path}`).slice(0, HASH)
    const fits = wanted.length <= LONGEST && !taken.has(wanted)
    let name = fits ? wanted : `${wanted.slice(0, LONGEST - HASH - 1)}_${hash}`
    for (let count = 2; taken.has(name); count++) name = `${name.slice(0, LONGEST - 4)}_${count}`
    taken.add(name)
    return name
  }
}

/** `GET /users/{id}` → `get_users_by_id` */
const nameFromPath = (method: string, path: string) =>
  sanitised(`${method.toLowerCase()}_${path.replace(/\{([^{}]*)\}/g, 'by_$1')}`)
    .replace(/_{2,}/g, '_')
    .replace(/_$/, '')

/** Empty if no letter or digit is left. */
const sanitised = (text: string) => {
  const name = text.replace(/[^a-zA-Z0-9_-]+/g, '_')
  return /[a-zA-Z0-9]/.test(name) ? name : ''
}
