import { credentialField, flagField, numberField, textField, textListField } from '../../cards/field.ts'
import { FILE_TYPES } from '../../contract/file-parser.ts'
import { ANY_ENDINGS } from '../../formats/file-types.ts'
import { repositoryItems } from '../../sources/github/files.ts'
import { readRepoLink } from '../../sources/github/repository.ts'
import { mayCall } from '../may-call.ts'
import { keyReader } from '../provider-key.ts'
import { loaderCard } from './loader-card.ts'

const additional = { additional: true }

export const github = loaderCard({
  name: 'github',
  label: 'GitHub',
  version: 2,
  description: 'The files of a branch of a GitHub repository, or of one folder of it',
  fields: {
    credential: credentialField('Connect Credential', ['githubApi']),
    repoLink: textField('Repo Link', '', {
      main: true,
      guard: 'url',
      description: 'https://github.com/OWNER/REPOSITORY, with /tree/BRANCH/FOLDER for one folder',
    }),
    branch: textField('Branch', 'main', { guard: 'table' }),
    recursive: flagField('Recursive', false, { main: true }),
    ignorePath: textListField('Ignore Paths', {
      ...additional,
      description: 'Files and folders that are left out: docs, *.lock',
    }),
    maxRetries: numberField(
      'Max Retries',
      2,
      { whole: true, min: 0, max: 10 },
      { ...additional, description: 'How often a call that fails is repeated' },
    ),
  },
  sources({ credential, repoLink, branch, recursive, ignorePath, maxRetries }, context) {
    const repository = readRepoLink(repoLink, branch.trim())
    for (const address of [repository.api, ...(repository.files === undefined ? [] : [repository.files])])
      mayCall(context, address, 'repoLink', context.egress)
    const { egress, parser, scratch } = context
    const options = {
      repository,
      recursive,
      ignored: ignorePath ?? [],
      retries: maxRetries,
      token: keyReader({ nodeKey: undefined, credential, field: 'accessToken' }, context),
      reading: { types: FILE_TYPES, accepts: ANY_ENDINGS, options: {}, parser },
      scratch,
      egress,
    }
    return { items: (signal) => repositoryItems(options, signal) }
  },
})
