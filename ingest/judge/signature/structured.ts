/** A value of a structured field (RFC 8941). Decimals are not among them, because no signature uses them. */
export type Bare =
  | { readonly kind: 'string' | 'token'; readonly text: string }
  | { readonly kind: 'integer'; readonly value: number }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'bytes'; readonly bytes: Buffer }

export type Params = ReadonlyMap<string, Bare>
export interface Item {
  readonly bare: Bare
  readonly params: Params
}
export interface InnerList {
  readonly items: readonly Item[]
  readonly params: Params
}
export type Member = Item | InnerList

/** Maximum length of a field that is parsed. A signature of RSA with 4,096 bits has 700 characters. */
export const fieldMax = 4_096
/** Maximum number of members, list items and parameters of one field together. */
const partsMax = 64

/** Returns the members of a dictionary, or null if the text is not one. */
export function parseDictionary(text: string): ReadonlyMap<string, Member> | null {
  return parsed(text, (reader) => {
    const members = new Map<string, Member>()
    for (;;) {
      const key = reader.key()
      const isTrue = !reader.skip('=')
      members.set(key, isTrue ? { bare: yes, params: reader.params() } : reader.member())
      reader.skipBlanks()
      if (reader.atEnd()) return members
      reader.expect(',')
      reader.skipBlanks()
    }
  })
}

/** Returns an item, or null if the text is not one. */
export function parseItem(text: string): Item | null {
  return parsed(text, (reader) => {
    const item = reader.item()
    return reader.atEnd() ? item : reader.fail()
  })
}

/** Whether a member is a list in parentheses. */
export const isList = (member: Member): member is InnerList => 'items' in member

/** Writes an item or a list in the form of RFC 8941, which signatures cover. */
export function formatMember(member: Member): string {
  return isList(member)
    ? `(${member.items.map(formatMember).join(' ')})${formatParams(member.params)}`
    : `${formatBare(member.bare)}${formatParams(member.params)}`
}

function formatParams(params: Params): string {
  let text = ''
  for (const [key, bare] of params) {
    const isTrue = bare.kind === 'boolean' && bare.value
    text += isTrue ? `;${key}` : `;${key}=${formatBare(bare)}`
  }
  return text
}

function formatBare(bare: Bare): string {
  switch (bare.kind) {
    case 'string':
      return `"${bare.text.replace(/["\\]/g, '\\$&')}"`
    case 'token':
      return bare.text
    case 'integer':
      return String(bare.value)
    case 'boolean':
      return bare.value ? '?1' : '?0'
    case 'bytes':
      return `:${bare.bytes.toString('base64')}:`
  }
}

const yes: Bare = { kind: 'boolean', value: true }

class Malformed extends Error {}

function parsed<T>(text: string, read: (reader: ReturnType<typeof createReader>) => T): T | null {
  if (text.length > fieldMax) return null
  try {
    return read(createReader(text.trim()))
  } catch (error) {
    if (error instanceof Malformed) return null
    throw error
  }
}

const keyForm = /[a-z*][a-z0-9_.*-]*/y
const integerForm = /-?\d{1,15}(?![\d.])/y
const tokenForm = /[A-Za-z*][!#$%&'*+.^_`|~0-9A-Za-z:/-]*/y
const bytesForm = /:([A-Za-z0-9+/]*={0,2}):/y

function createReader(text: string) {
  let at = 0
  let parts = 0

  const fail = (): never => {
    throw new Malformed()
  }
  const skip = (sign: string) => {
    if (text[at] !== sign) return false
    at++
    return true
  }
  const expect = (sign: string) => {
    if (!skip(sign)) fail()
  }
  const skipBlanks = () => {
    while (text[at] === ' ' || text[at] === '\t') at++
  }
  const match = (form: RegExp): RegExpExecArray => {
    form.lastIndex = at
    const found = form.exec(text) ?? fail()
    at = form.lastIndex
    return found
  }
  const countPart = () => {
    if (++parts > partsMax) fail()
  }
  const key = () => {
    countPart()
    return match(keyForm)[0]
  }

  function string(): Bare {
    const { value, end } = readString(text, at + 1) ?? fail()
    at = end
    return { kind: 'string', text: value }
  }

  function bare(): Bare {
    const sign = text[at] ?? fail()
    if (sign === '"') return string()
    if (sign === ':') return { kind: 'bytes', bytes: Buffer.from(match(bytesForm)[1] ?? '', 'base64') }
    if (sign === '?') {
      const value = text[at + 1]
      if (value !== '0' && value !== '1') fail()
      at += 2
      return { kind: 'boolean', value: value === '1' }
    }
    if (sign === '-' || (sign >= '0' && sign <= '9')) {
      return { kind: 'integer', value: Number(match(integerForm)[0]) }
    }
    return { kind: 'token', text: match(tokenForm)[0] }
  }

  function params(): Params {
    const found = new Map<string, Bare>()
    while (skip(';')) {
      while (skip(' '));
      const name = key()
      found.set(name, skip('=') ? bare() : yes)
    }
    return found
  }

  const item = (): Item => {
    countPart()
    return { bare: bare(), params: params() }
  }

  function list(): InnerList {
    const items: Item[] = []
    for (at++; ; ) {
      while (skip(' '));
      if (skip(')')) return { items, params: params() }
      items.push(item())
      if (text[at] !== ' ' && text[at] !== ')') fail()
    }
  }

  return {
    key,
    skip,
    expect,
    skipBlanks,
    params,
    item,
    fail,
    member: (): Member => (text[at] === '(' ? list() : item()),
    atEnd: () => at === text.length,
  }
}

/** Reads a quoted string whose first character is at `from`, and returns where it ends. */
function readString(text: string, from: number): { readonly value: string; readonly end: number } | null {
  let value = ''
  for (let at = from; ; at++) {
    if (text[at] === '"') return { value, end: at + 1 }
    const isEscaped = text[at] === '\\'
    const sign = text[isEscaped ? ++at : at] ?? ''
    if (!isPrintable(sign.charCodeAt(0)) || (isEscaped && sign !== '"' && sign !== '\\')) return null
    value += sign
  }
}

const isPrintable = (code: number) => code >= 32 && code < 127
