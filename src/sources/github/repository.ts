import { InputError } from '../../cards/input-error.ts'
import { webAddress } from '../web/address.ts'

export const GITHUB_API = 'https://api.github.com'

/** A repository of GitHub, or of a GitHub server of a company. */
export type GithubRepository = {
  /** The address of its page, without a slash at its end. */
  page: string
  owner: string
  name: string
  branch: string
  /** The folder that is read, without a slash at its ends; empty for all. */
  folder: string
  /** The address of its API. */
  api: string
  /** The address below which its files are for everybody, without the limit of calls of the API; undefined on other servers. */
  files?: string
}

/**
 * Reads the address of a repository, or of a folder in it: `https://github.com/OWNER/REPOSITORY/tree/BRANCH/FOLDER`. The branch is that
 * of the input, whatever the address says.
 *
 * @throws InputError `repoLink` for an address that is none
 */
export function readRepoLink(link: string, branch: string): GithubRepository {
  const { origin, host, pathname } = new URL(webAddress(link, 'repoLink'))
  const [owner, last = '', tree, ...rest] = pathname.split('/').filter((part) => part !== '')
  const name = last.replace(/\.git$/, '')
  if (!owner || name === '' || (tree !== undefined && tree !== 'tree' && tree !== 'blob'))
    throw new InputError('repoLink', 'expected https://github.com/OWNER/REPOSITORY')
  const place = rest.map(decodeURIComponent).join('/')
  const folder = place.startsWith(`${branch}/`)
    ? place.slice(branch.length + 1)
    : place.split('/').slice(1).join('/')
  const isPublic = host === 'github.com' || host === 'www.github.com'
  return {
    ...{ owner, name, branch, page: `${origin}/${owner}/${name}` },
    folder: place === branch ? '' : folder,
    api: isPublic ? GITHUB_API : `${origin}/api/v3`,
    ...(isPublic ? { files: `https://raw.githubusercontent.com/${owner}/${name}/${inPath(branch)}` } : {}),
  }
}

/** A path within an address. */
export const inPath = (path: string): string => path.split('/').map(encodeURIComponent).join('/')
