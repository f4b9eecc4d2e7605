import { readFileSync } from 'node:fs'
import { Refusal } from '../contracts/errors'

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
  let text: string
  try {
    text = readFileSync(path, 'utf8').trim()
  } catch {
    throw new Refusal('invalid_field', `The file ${path} cannot be read by the product.`)
  }
  if (text !== '' && text.length <= secretMax && !(isWord ? /\s/ : /[\r\n]/).test(text)) return text
  throw new Refusal('invalid_field', `The file ${path} must contain exactly ${called}.`)
}
