import { SluiceError } from '../kit/errors.ts'

/** The errors of files that are protected by a password. All have the code `file_encrypted`. */

/** The file needs a password, and the request had none for it. */
export const passwordMissing = (file: string): SluiceError =>
  new SluiceError('file_encrypted', {
    file,
    hint: 'Send it again with its password, as the field password of the request',
  })

/** The password of the request does not open the file. */
export const passwordWrong = (file: string): SluiceError =>
  new SluiceError('file_encrypted', { file, more: ', and the password that was sent for it is wrong' })

/** No reader opens this type of file with a password. */
export const passwordUseless = (file: string): SluiceError =>
  new SluiceError('file_encrypted', {
    file,
    more: '; only PDFs can be opened with one: save it without a password',
  })
