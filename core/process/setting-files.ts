import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { SettingDeclarations } from '../contracts/setting'
import { settings } from '../contracts/settings'
import { StartError } from './start-error'

/** The environment of a process. */
export type Environment = Readonly<Record<string, string | undefined>>

/** What a setting's name ends in that names a file with its value. */
const suffix = '_FILE'
const bytesMax = 64 * 2 ** 10
/** Where container engines put secrets. Only the container itself sees this folder, and its files are often open to all users in it. */
const engineFolder = '/run/secrets/'

/**
 * Returns the environment with the values of settings that are in files: `NAME_FILE` names a file with the value of `NAME`. Throws one
 * Error that lists every file that cannot be used.
 */
export function withSettingFiles(env: Environment, declared: SettingDeclarations = {}): Environment {
  const names = namesIn(env, { ...declared, ...settings })
  if (names.length === 0) return env
  const faults: string[] = []
  const values: Record<string, string> = {}
  for (const name of names) {
    const read = readValue(name, env)
    if ('fault' in read) faults.push(`${name}${suffix}: ${read.fault}`)
    else values[name] = read.value
  }
  if (faults.length > 0) throw new Error(`The settings cannot be used:\n  ${faults.join('\n  ')}`)
  return { ...env, ...values }
}

/** The settings that are in files. A setting whose own name ends in `_FILE` stays what it is. */
const namesIn = (env: Environment, declared: SettingDeclarations): string[] =>
  Object.keys(declared).filter(
    (name) => !Object.hasOwn(declared, `${name}${suffix}`) && pathOf(name, env) !== '',
  )

const pathOf = (name: string, env: Environment): string => env[`${name}${suffix}`]?.trim() ?? ''

type Read = { readonly value: string } | { readonly fault: string }

function readValue(name: string, env: Environment): Read {
  if (env[name]?.trim()) return { fault: `${name} is set too. Remove one of the two.` }
  const path = resolve(pathOf(name, env))
  try {
    const facts = statSync(path)
    if (!facts.isFile()) return { fault: `${path} is not a file.` }
    if (facts.size > bytesMax) return { fault: `${path} is larger than ${bytesMax} bytes.` }
    if (isOpen(path, facts.mode)) {
      const mode = (facts.mode & 0o777).toString(8)
      return { fault: `other users can reach ${path} (mode 0${mode}). Run: chmod 600 ${path}` }
    }
    const value = readFileSync(path, 'utf8').trim()
    return value === '' ? { fault: `${path} is empty.` } : { value }
  } catch (error) {
    return { fault: notReadable(name, path, codeOf(error)) }
  }
}

/** A group may read: so one file serves users of several services. */
function isOpen(path: string, mode: number): boolean {
  if ((mode & 0o022) !== 0) return true
  return (mode & 0o004) !== 0 && !path.startsWith(engineFolder)
}

function notReadable(name: string, path: string, code: string): string {
  if (code !== 'ENOENT') return `${path} cannot be read (${code}). Give it to the user who runs Renown.`
  return Object.hasOwn(made, name)
    ? `${path} does not exist yet. The first start of the product makes it.`
    : `${path} does not exist.`
}

/** The settings whose file the first start makes, with what it writes. */
const made: Readonly<Record<string, () => string>> = {
  SECRETS_KEY: () => `k1:${randomBytes(32).toString('base64url')}`,
  RENOWN_INGEST_SECRET: () => randomBytes(32).toString('base64url'),
}

/**
 * Makes the keys whose files do not exist yet, and returns the files. Several processes that share a folder agree on one key: a file
 * appears whole, and the first one stays. Throws a StartError that names a file that cannot be made.
 */
export function makeKeyFiles(env: Environment): string[] {
  const files = Object.entries(made).map(([name, value]) => {
    const path = pathOf(name, env)
    if (path === '' || existsSync(path)) return []
    return makeOnce(name, resolve(path), value()) ? [resolve(path)] : []
  })
  return files.flat()
}

/** Writes a file whole, unless it exists by then. Returns whether it is this one. */
function makeOnce(name: string, path: string, value: string): boolean {
  const folder = dirname(path)
  const temporary = join(folder, `.${basename(path)}.${process.pid}-${randomBytes(6).toString('hex')}`)
  try {
    writeFileSync(temporary, `${value}\n`, { mode: 0o600, flag: 'wx', flush: true })
    linkSync(temporary, path)
    flushFolder(folder)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw new StartError(
      `${name}${suffix}: ${path} does not exist and cannot be made (${codeOf(error)}). Its folder must exist and belong to the user who runs Renown.`,
    )
  } finally {
    rmSync(temporary, { force: true })
  }
}

/** Makes sure that the name of a new file survives a power cut. */
function flushFolder(folder: string): void {
  const opened = openSync(folder, 'r')
  try {
    fsyncSync(opened)
  } finally {
    closeSync(opened)
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error)
