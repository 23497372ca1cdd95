import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { chatId } from '../api/json.ts'
import type { upsertBody } from '../api/upsert.ts'
import type { FilePasswords } from '../contract/file-passwords.ts'
import { SluiceError } from '../kit/errors.ts'
import type { Json, JsonObject } from '../kit/json.ts'
import { takePasswords } from './file-passwords.ts'
import { readFormOverrides, receiveUpload, type Upload } from './uploads.ts'
import type { Platform } from './platform.ts'

/** A request of an upsert or a dry run, with JSON or a form. */
export type ReceivedUpsert = {
  overrides: JsonObject
  stopNodeId?: string | undefined
  /** The conversation that the documents belong to; only its queries find them. */
  chatId?: string | undefined
  upload?: Upload
  /** What opens its files. */
  passwords?: FilePasswords | undefined
  /** The whole request without passwords, to recognize a repetition: its hash is stored, and would let a password be guessed. */
  content: Json
}

/** Receives the files and fields of a form. */
export const receiveForm = (
  { config, shortage, uploadDirectory }: Pick<Platform, 'config' | 'shortage' | 'uploadDirectory'>,
  request: FastifyRequest,
): Promise<Upload> =>
  receiveUpload(request.raw, uploadDirectory, {
    megabytes: config.MAX_UPLOAD_MB,
    files: config.MAX_FILES,
    shortage,
  })

/** @throws SluiceError `body_invalid`, `override_invalid` */
export function readForm(upload: Upload): ReceivedUpsert {
  const files = upload.files.map(({ name, size, sha256 }) => [name, size, sha256])
  const request = readFormOverrides(upload.fields)
  if (request.chatId !== undefined && !chatId.safeParse(request.chatId).success)
    throw new SluiceError('body_invalid', { reason: 'chatId: expected at most 255 characters' })
  const { overrides, passwords } = takePasswords(request.overrides)
  const { stopNodeId = null, chatId: conversation = null } = request
  const content: Json = passwords ? [overrides, stopNodeId, conversation, files] : [upload.fields, files]
  return { ...request, overrides, upload, passwords, content }
}

/** The bytes of the documents of a request: its files, or the body of a request without files. */
export function documentBytes({ headers, body }: FastifyRequest, upload: Upload | undefined): number {
  if (upload) return upload.files.reduce((sum, { size }) => sum + size, 0)
  return Number(headers['content-length']) || Buffer.byteLength(JSON.stringify(body ?? {}))
}

/** @throws SluiceError `override_invalid` */
export function readBody(body: z.output<typeof upsertBody>): ReceivedUpsert {
  const { overrides, passwords } = takePasswords(body.overrideConfig ?? {})
  return {
    overrides,
    stopNodeId: body.stopNodeId || undefined,
    chatId: body.chatId || undefined,
    passwords,
    content: (passwords ? { ...body, overrideConfig: overrides } : body) as Json,
  }
}
