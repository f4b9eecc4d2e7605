import * as v from 'valibot'
import { field } from '../../contracts/field'
import { readNamedFile, readSecretFile } from '../secret-file'

/** A field that the shell reads from a file. */
interface ShellFile {
  /** What the file contains, such as `one token`. */
  readonly called: string
  /** Returns the value of the field. */
  read(path: string): string
}

type Files = Readonly<Record<string, ShellFile>>

/** Returns the fields of an act that the shell reads from files. */
export function filesOf({
  files = {},
  upload,
}: {
  readonly files?: Readonly<Record<string, string | undefined>>
  readonly upload?: { readonly field: string; readonly called: string }
}): Files {
  const secrets = Object.entries(files).map(([name, called = '']): [string, ShellFile] => [
    name,
    { called: `only ${called}`, read: (path) => readSecretFile(path, { called, isWord: false }) },
  ])
  const { field: name = '', called = '' } = upload ?? {}
  const whole: ShellFile = { called, read: (path) => readNamedFile(path).toString('base64') }
  return Object.fromEntries(upload ? [...secrets, [name, whole]] : secrets)
}

/** Returns the fields of the shell: the path of a file in place of each field that has one. */
export const withFiles = (fields: v.ObjectEntries, files: Files): v.ObjectEntries =>
  Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => {
      const { [name]: file } = files
      return file
        ? [`${name}_file`, v.optional(field.text(`File that contains ${file.called}`))]
        : [name, schema]
    }),
  )

/** Returns what was typed, with the contents of the files in place of their paths. */
export function readFiles(
  typed: Readonly<Record<string, unknown>>,
  files: Files,
): Readonly<Record<string, unknown>> {
  const read: Record<string, unknown> = { ...typed }
  for (const [name, file] of Object.entries(files)) {
    const { [`${name}_file`]: path } = read
    delete read[`${name}_file`]
    if (path !== undefined) read[name] = file.read(String(path))
  }
  return read
}
