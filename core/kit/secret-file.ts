import { readFileSync, statSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { Refusal } from '../contracts/errors'

/**
 * Returns the bytes of a file that a command names. Refuses pipes and terminals, because a read of them can wait forever and
 * would stop the whole product.
 */
export function readNamedFile(path: string): Buffer {
  const full = isAbsolute(path) ? '' : ' Give its full path, because the product runs in a folder of its own.'
  try {
    if (statSync(path).isFile()) return readFileSync(path)
  } catch {
    throw new Refusal('invalid_field', `The file ${path} cannot be read by the product.${full}`)
  }
  throw new Refusal(
    'invalid_field',
    `${path} is not a file. Write what it should contain into a file, not into a pipe or a terminal.`,
  )
}

const secretMax = 10_000

/**
 * Returns the only line of a file that contains a credential. Throws a Refusal that repeats nothing of its contents.
 *
 * @param called What the file must contain, such as `one token`.
 * @param isWord Whether the credential has no spaces.
 */
export function readSecretFile(
  path: string,
  { called, isWord }: { called: string; isWord: boolean },
): string {
  const text = readNamedFile(path).toString('utf8').trim()
  if (text !== '' && text.length <= secretMax && !(isWord ? /\s/ : /[\r\n]/).test(text)) return text
  throw new Refusal('invalid_field', `The file ${path} must contain exactly ${called}.`)
}
