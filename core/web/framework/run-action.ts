import * as v from 'valibot'
import { type Fault, isRefusal, type Refusal } from '../../contracts/errors'
import type { ActionResult } from '../../contracts/page'
import { faultsOf } from '../../kit/faults'
import { type PageLocale, sourceLanguage } from '../../kit/page-locale'
import { shownText } from '../../kit/phrases'
import { ownFields } from '../../registry/page-checks'
import type { Outcome } from '../kit/browser/page-props'
import { type Form, isSecretField, ownPath } from './forms'

/** An action with its context and row. */
interface BoundAction {
  readonly input: v.GenericSchema
  /** The field of a file, which no page shows again. */
  readonly file?: string | undefined
  /** See `faultsIn` of `ActionDeclaration`. */
  faultsIn?(sent: Readonly<Record<string, unknown>>): readonly Fault[]
  // biome-ignore lint/suspicious/noConfusingVoidType: an action may end without a word
  run(input: never): Promise<ActionResult | void>
}

/** The page of an action: its language, and the field with the id of its record. */
interface ActionPage {
  readonly locale: PageLocale
  readonly param?: string | undefined
}

/** The result of an action, the page that it redirects to, and the word of its notice. */
export type Ran = Outcome & { readonly to?: string | undefined; readonly said?: string | undefined }

/**
 * Runs an action on the sent form. A refusal is a result too, which the page shows with the typed values.
 * Throws errors that the person did not cause.
 */
export async function runAction(
  name: string,
  action: BoundAction,
  form: Form,
  { locale, param }: ActionPage,
): Promise<Ran> {
  const own = new Set<string>([...ownFields, ...(param === undefined ? [] : [param])])
  const sent = Object.fromEntries(
    form
      .names()
      .filter((field) => !own.has(field))
      .map((field) => [field, form.all(field).length > 1 ? form.all(field) : form.get(field)]),
  )
  const values = Object.fromEntries(
    Object.entries(sent).filter(([field]) => !isSecretField(field) && field !== action.file),
  )
  const failed = { action: name, ok: false, values, to: undefined, ...inEnglish(locale) }
  const unstorable = form.unstorable.map((field) => [
    field,
    'The text contains U+0000, which no text can contain.',
  ])
  if (unstorable.length > 0) return { ...failed, fault: unusable, faults: Object.fromEntries(unstorable) }
  const parsed = v.safeParse(action.input, sent)
  if (!parsed.success) {
    const faults = [...faultsOf(parsed.issues), ...(action.faultsIn?.(sent) ?? [])]
    return { ...failed, fault: unusable, faults: refused(faults) }
  }
  try {
    const { shown, to, said } = (await action.run(parsed.output as never)) ?? {}
    return {
      action: name,
      ok: true,
      ...(shown === undefined ? {} : { shown }),
      to: to && ownPath(to),
      ...(said && { said }),
    }
  } catch (error) {
    if (!isRefusal(error) || error.status >= 500) throw error
    return { ...failed, ...refusedOf(error, locale) }
  }
}

const unusable = 'A value in the form is invalid.'

/** Marks the faults as English on a page in another language. */
const inEnglish = ({ lang }: PageLocale) => (lang === sourceLanguage ? {} : { fault_lang: sourceLanguage })

function refusedOf({ code, message, details }: Refusal, locale: PageLocale) {
  const { errors = [], extra, phrase } = details
  if (phrase !== undefined) {
    const { text, lang } = shownText(phrase, locale)
    return { code, fault: text, fault_lang: lang, faults: refused(errors) }
  }
  return {
    code,
    fault: code === 'invalid_field' && errors.length > 0 ? unusable : message,
    faults: refused(errors),
    ...(extra === undefined ? {} : { extra }),
  }
}

/** Returns the first fault of each field. */
const refused = (errors: readonly Fault[]) =>
  Object.fromEntries(
    errors.toReversed().map(({ pointer, message }) => [pointer?.split('/')[1] ?? '', asSentence(message)]),
  )

/** Returns the accepted values of a field, as a sentence. */
function asSentence(message: string): string {
  const words = /^(an?|at most|the) /.test(message)
    ? `Give ${message}`
    : message.charAt(0).toUpperCase() + message.slice(1)
  return /[.?!]$/.test(words) ? words : `${words}.`
}
