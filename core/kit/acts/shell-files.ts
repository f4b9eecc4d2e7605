import * as v from 'valibot'
import { field } from '../../contracts/field'
import { readSecretFile } from '../secret-file'

type Files = Readonly<Record<string, string | undefined>>

/** Returns the fields of the shell: the path of a file in place of each field that has one. */
export const withFiles = (fields: v.ObjectEntries, files: Files): v.ObjectEntries =>
  Object.fromEntries(
    Object.entries(fields).map(([name, schema]) =>
      files[name] === undefined ? [name, schema] : [`${name}_file`, pathOf(files[name])],
    ),
  )

const pathOf = (called: string) => v.optional(field.text(`File that contains only ${called}`))

/** Returns what was typed, with the contents of the files in place of their paths. */
export function readFiles(
  typed: Readonly<Record<string, unknown>>,
  files: Files,
): Readonly<Record<string, unknown>> {
  const read: Record<string, unknown> = { ...typed }
  for (const [name, called = ''] of Object.entries(files)) {
    const { [`${name}_file`]: path } = read
    delete read[`${name}_file`]
    if (path !== undefined) read[name] = readSecretFile(String(path), { called, isWord: false })
  }
  return read
}
