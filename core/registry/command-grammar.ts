import { nearest } from '../kit'

/**
 * The verbs of the shell, each for one deed. A command is named `<thing> <verb>`, with the thing in the singular, such as
 * `site create`. A part of a thing stands between them, such as `site token rotate`.
 */
export const commandVerbs: ReadonlySet<string> = new Set(
  `activate add approve archive ask assign audit backup cancel check clear close confirm connect copy count create deactivate decline delete
   disconnect dismiss edit enable disable end erase exclude exempt explain export fetch find flag hold ignore import install invite list mark merge move open
   override pause preview propose publish read record redact refresh release remove rename renew replay reply republish request require
   rescore reseal resend reset restore resume retry revoke rotate run save schedule search see send set settle share show sign start stop
   sync tag test unflag unpublish unschedule update verify`
    .split(/\s+/)
    .filter(Boolean),
)

const partsMax = 4

/** Returns what is wrong with the name of a command, or null. */
export function commandNameFault(name: string): string | null {
  const words = String(name).split(' ')
  const verb = words.at(-1) ?? ''
  const stray = words.find((word) => !/^[a-z][a-z0-9-]*$/.test(word))
  if (stray !== undefined) return 'is not lower-case words'
  if (words.length === 1) return 'is not a thing and a verb, such as `site create`'
  if (words.length > partsMax) return `has more than ${partsMax} words`
  if (!commandVerbs.has(verb)) {
    const meant = nearest(verb, [...commandVerbs])
    return `does not end with a verb of the shell${meant === undefined ? '' : `. Did you mean \`${meant}\`?`}`
  }
  const plural = words.slice(0, -1).find(isPlural)
  return plural === undefined ? null : `names "${plural}", but a thing has to be in the singular`
}

const isPlural = (word: string) => /[^sui]s$/.test(word)
