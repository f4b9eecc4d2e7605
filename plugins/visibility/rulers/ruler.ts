import { defineExtensionPoint, type Extension } from 'renown'
import * as v from 'valibot'
import { type Rule, ruleSchema } from './rule'

/** A published definition of a figure of AI visibility, applied to the stored answers. */
export interface VisibilityRuler extends Extension {
  /** Id with a version, such as `profound.visibility@1`. A changed definition gets a new version. */
  readonly definition: string
  /** The name as the publisher writes it. */
  readonly label: string
  readonly publisher: string
  /** What the publisher says, in other words. */
  readonly says: string
  /** Page that says it, and the day on which it was read. Null for definitions of Renown. */
  readonly source: { readonly url: string; readonly read_on: string } | null
  /** What the publisher leaves open, and how Renown reads it. */
  readonly assumptions: readonly string[]
  readonly rule: Rule
}

const text = v.pipe(v.string(), v.minLength(1))

/** The extension point for definitions. A ruler is data, so that Renown can explain each difference between two of them. */
export const visibilityRuler = defineExtensionPoint<VisibilityRuler>({
  id: 'visibility.ruler',
  summary: 'A published definition of a figure of AI visibility',
  nameOf: ({ definition }) => definition,
  shape: {
    definition: v.pipe(
      v.string(),
      v.regex(/^[a-z][a-z0-9_]{0,39}\.[a-z][a-z0-9_]{0,39}@\d{1,3}$/, 'such as acme.visibility@1'),
    ),
    label: text,
    publisher: text,
    says: text,
    source: v.nullable(
      v.object({ url: v.pipe(v.string(), v.url()), read_on: v.pipe(v.string(), v.isoDate()) }),
    ),
    assumptions: v.array(text),
    rule: v.strictObject(ruleSchema.entries),
  },
})
