import { readCookie } from '../../auth/cookies'
import { csrfTokenOf, type Session } from '../../auth/sessions'
import { formPairsMax, hasTooManyPairs } from '../../contracts/bounded-form'
import { Refusal } from '../../contracts/errors'
import type { FormFile } from '../../contracts/page'
import { isStorable, toStorable } from '../../contracts/values'
import { equalSecrets, randomText } from '../../process/crypto'
import { paid } from '../../work/loop-time'
import { unmaskToken } from './masked-token'

const formBytesMax = 64 * 1024

/** The fields of a sent form, without U+0000, which no browser sends. A missing field is empty. */
export interface Form {
  get(name: string): string
  all(name: string): readonly string[]
  names(): readonly string[]
  /** The fields that were sent with U+0000. */
  readonly unstorable: readonly string[]
}

/** The form of a request that has none. */
export const noForm: Form = { get: () => '', all: () => [], names: () => [], unstorable: [] }

/**
 * Reads a form as browsers send it, at most 64 KiB. Only a form with a file can be multipart/form-data, and can have the
 * bytes of the file in addition.
 */
export async function readForm(request: Request, file?: FormFile): Promise<Form> {
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase()
  if (type === 'multipart/form-data' && file) return readFileForm(request, file)
  if (type !== 'application/x-www-form-urlencoded') {
    throw new Refusal('unsupported_media_type', 'Send forms as application/x-www-form-urlencoded.')
  }
  const body = await boundedBody(request)
  return paid(body.length, () => formOf(body.toString('utf8')))
}

/** Reads a form with a file. The file becomes a field with its bytes in base64, and no other file is accepted. */
async function readFileForm(request: Request, { field, bytesMax }: FormFile): Promise<Form> {
  const body = await boundedBody(request, formBytesMax + bytesMax)
  const headers = { 'content-type': request.headers.get('content-type') ?? '' }
  const sent = await new Response(new Uint8Array(body), { headers }).formData().catch(() => {
    throw new Refusal('malformed_request', 'The form could not be read. Reload the page and send it again.')
  })
  const pairs = [...sent.entries()]
  if (pairs.length > formPairsMax) throw tooManyPairs()
  const fields = new URLSearchParams()
  for (const [name, value] of pairs) {
    if (typeof value === 'string') fields.append(name, value)
    else if (name !== field) throw new Refusal('malformed_request', `The form takes no file in ${name}.`)
    else if (value.size > bytesMax)
      throw new Refusal('payload_too_large', `The file is larger than ${bytesMax} bytes.`)
    else fields.append(name, Buffer.from(await value.arrayBuffer()).toString('base64'))
  }
  return paid(body.length, () => fieldsOf(fields))
}

function formOf(text: string): Form {
  if (hasTooManyPairs(text)) throw tooManyPairs()
  return fieldsOf(new URLSearchParams(text))
}

const tooManyPairs = () => new Refusal('payload_too_large', `A form can have at most ${formPairsMax} fields.`)

function fieldsOf(fields: URLSearchParams): Form {
  const pairs = [...fields].map(([name, value]) => [toStorable(name), toStorable(value)] as const)
  const of = (wanted: string) => pairs.filter(([name]) => name === wanted).map(([, value]) => value)
  const isUnstorable = ([name, value]: readonly [string, string]) => !isStorable(name) || !isStorable(value)
  return {
    get: (name) => of(name)[0] ?? '',
    all: of,
    names: () => [...new Set(pairs.map(([name]) => name))],
    unstorable: [...fields].filter(isUnstorable).map(([name]) => toStorable(name)),
  }
}

/** Fields that are never shown again. */
export const isSecretField = (name: string): boolean => /password|token|secret|^code$/i.test(name)

const heldMax = 40_000

/**
 * Returns a form as text that the page keeps while it asks for the password. Nothing of it is stored. Null if it is
 * too long or contains a secret. People then fill it in again.
 */
export function packForm(form: Form): string | null {
  const names = form.names().filter((name) => name !== 'csrf')
  if (names.some(isSecretField)) return null
  const pairs = names.flatMap((name) => form.all(name).map((value): [string, string] => [name, value]))
  const held = Buffer.from(new URLSearchParams(pairs).toString()).toString('base64url')
  return held.length <= heldMax ? held : null
}

/** Returns the form that was kept. */
export function unpackForm(held: string): Form {
  return formOf(Buffer.from(held, 'base64url').toString('utf8'))
}

async function boundedBody(request: Request, bytesMax = formBytesMax): Promise<Buffer> {
  const tooLarge = () => new Refusal('payload_too_large', `The form is larger than ${bytesMax} bytes.`)
  if (Number(request.headers.get('content-length') ?? 0) > bytesMax) throw tooLarge()
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of (request.body ?? []) as unknown as AsyncIterable<Uint8Array>) {
    length += part.length
    if (length > bytesMax) throw tooLarge()
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/**
 * Throws unless the form comes from a page of this host and has the right token. That is the token of the
 * session, or of the visit if nobody is signed in. `session` is the one of the request's own cookie.
 */
export async function checkForm(
  form: Form,
  session: Session | null,
  request: Request,
  host: { readonly origin: string },
): Promise<void> {
  if (!isOwnPage(request, host.origin)) {
    throw new Refusal('origin_not_allowed', 'The form was sent from a page of another host.')
  }
  const visit = session ? null : readCookie(request, 'visit', host)
  const wanted = session?.csrf_token ?? (visit === null ? null : await csrfTokenOf(visit))
  if (wanted !== null && equalSecrets(unmaskToken(form.get('csrf')), wanted)) return
  throw new Refusal('form_refused', 'The form has expired. Go back, reload the page and send the form again.')
}

/** Browsers name the page of a form in two headers. A program that sends neither is not a browser. */
function isOwnPage(request: Request, own: string): boolean {
  const site = request.headers.get('sec-fetch-site')
  if (site !== null && site !== 'same-origin') return false
  const origin = request.headers.get('origin')
  return origin === null || origin === 'null' ? site === 'same-origin' : origin === own
}

/** Returns a random cookie value for forms of people who are not signed in. */
export const newVisit = (): string => randomText(40)

const nextMax = 8_192

/** Returns the page that a form returns to, with the query that the form names. */
export function backTo(path: string, named: string): string {
  const back = ownPath(named || path)
  return back.split('?', 1)[0] === path ? back : path
}

/**
 * Returns the page after sign-in: a path of Renown, or `/app`. Never a text that a browser might read as another
 * host.
 */
export function ownPath(text: string | null): string {
  if (text === null || text.length > nextMax || !/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(text))
    return '/app'
  const url = URL.parse(text, 'http://own.invalid')
  return url?.origin === 'http://own.invalid' && !/^\/\//.test(url.pathname)
    ? `${url.pathname}${url.search}`
    : '/app'
}
