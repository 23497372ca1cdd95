import { choiceField, flagField, textField } from '../../cards/field.ts'
import { FILE_TYPES } from '../../contract/file-parser.ts'
import { ANY_ENDINGS } from '../../formats/file-types.ts'
import { failingItem } from '../../sources/failing-item.ts'
import { folderItems } from '../../sources/folder.ts'
import { openPathAllowlist } from '../../sources/path-allowlist.ts'
import { allTypesParseOptions, POINTER_FIELD } from './file-loader.ts'
import { loaderCard } from './loader-card.ts'
import { OCR_LANGUAGES } from './pdf-file.ts'

export const folderFiles = loaderCard({
  name: 'folderFiles',
  label: 'Folder with Files',
  version: 4,
  description: 'The files of a folder on the server. FOLDER_ALLOW lists the directories that may be read',
  fields: {
    folderPath: textField('Folder Path', '', { main: true, guard: 'path' }),
    recursive: flagField('Recursive', false, { main: true }),
    pdfUsage: choiceField('Pdf Usage', ['perPage', 'perFile'], 'perPage', { additional: true }),
    ocrLanguages: OCR_LANGUAGES,
    pointerName: POINTER_FIELD,
  },
  sources: ({ folderPath, recursive, pdfUsage, pointerName, ocrLanguages }, { nodeId, folders, parser }) => ({
    async *items(signal) {
      const allowlist = await openPathAllowlist(folders)
      const options = allTypesParseOptions({ usage: pdfUsage, pointerName, ocrLanguages })
      const reading = { types: FILE_TYPES, accepts: ANY_ENDINGS, options, parser }
      try {
        const folder = await allowlist.resolve(folderPath, nodeId)
        yield* folderItems({ name: nodeId, folder, recursive, allowlist, reading }, signal)
      } catch (error) {
        signal.throwIfAborted()
        yield failingItem({ name: nodeId, error: error as Error, discoversOthers: true })
      }
    },
  }),
})
