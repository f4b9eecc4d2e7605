import * as v from 'valibot'
import { defineExtensionPoint, type Extension, type ExtensionPoint } from './extension'
import { type IconName, iconNames } from './icons'
import type { ActionContext, PageContext } from './page'
import { type Wording, wordingSchema } from './words'

/** A path under /app, with its query. */
const appPath = /^\/app(\/[a-z0-9-]+)*(\?[\w=&%.~-]*)?$/

/** The schema of an inbox entry. If an entry does not match, its kind is shown as unavailable. */
export const inboxEntrySchema = v.object({
  id: v.pipe(v.string(), v.regex(/^[\w.:-]{1,100}$/, '1 to 100 letters, digits, or _ . : -')),
  state: v.pipe(v.string(), v.maxLength(200)),
  title: wordingSchema(300),
  word: wordingSchema(40),
  tone: v.picklist(['plain', 'good', 'warn', 'bad']),
  at: v.pipe(v.string(), v.isoTimestamp()),
  about: v.optional(wordingSchema()),
  quote: v.optional(
    v.object({ text: v.string(), by: v.optional(wordingSchema()), lang: v.optional(v.string()) }),
  ),
  text: v.optional(v.union([wordingSchema(), v.array(wordingSchema())])),
  count: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  link: v.optional(
    v.object({ href: v.pipe(v.string(), v.regex(appPath, 'a path under /app')), label: wordingSchema() }),
  ),
})

/**
 * Something that waits for a person. All texts are shown as text, never as HTML. Phrases of a catalog are shown in the
 * language of the person.
 */
export interface InboxEntry {
  /** Unique within its source and constant while the entry waits, such as the id of a record. */
  readonly id: string
  /**
   * A text that changes when the entry has news. A done or snoozed entry is then shown again. At most 200
   * characters.
   */
  readonly state: string
  /** At most 300 characters. */
  readonly title: Wording
  /** The state in one word, such as Waiting or Failed. */
  readonly word: Wording
  /** `warn`: waiting. `bad`: failed. */
  readonly tone: 'plain' | 'good' | 'warn' | 'bad'
  /** Waiting since, ISO 8601. */
  readonly at: string
  /** What it belongs to, such as a platform or a location. */
  readonly about?: Wording
  /** Text of a stranger, and who wrote it. */
  readonly quote?: { readonly text: string; readonly by?: Wording; readonly lang?: string }
  /** The full description, or its lines. */
  readonly text?: Wording | readonly Wording[]
  /** The number of things that this entry summarizes. */
  readonly count?: number
  /** The page where the entry is handled (a path under /app), and the label of the button. */
  readonly link?: { readonly href: string; readonly label: Wording }
}

/** An entry in the state in which a person saw it. */
type EntryState = Pick<InboxEntry, 'id' | 'state'>

/** What a button in the inbox does with an entry. */
export interface InboxAction {
  /** Returns the label of the button, such as Retry. Null shows no button. Called only for the open entry. */
  label(ctx: PageContext, entry: EntryState): Promise<Wording | null>
  /**
   * Runs if the entry still waits in the state that the person saw. Throw a `Refusal` if it cannot be done.
   */
  run(ctx: ActionContext, entry: EntryState): Promise<void>
}

/** A source of inbox entries of one kind. */
export interface InboxSource extends Extension {
  /**
   * The plural name of the kind, such as Reviews. It is the name of the tab. If it is a plain text, the source has no words, and
   * pages in other languages mark all its texts as English.
   */
  readonly title: Wording
  /** Sort position. Sources with lower numbers come first. */
  readonly order: number
  readonly icon?: IconName
  /** Set if members do not see its entries. */
  readonly only?: 'owner'
  /** Set if the entries are not counted in the navigation, because reading them is expensive. */
  readonly isCounted?: false
  /**
   * Returns at most `limit` entries of the workspace, newest first. Runs for every page that is opened,
   * unless `isCounted` is false.
   */
  list(ctx: PageContext, limit: number): Promise<readonly InboxEntry[]>
  /** The main action of an entry. The link then becomes the secondary action. */
  readonly action?: InboxAction
  /** A second action of an entry, such as Decline. */
  readonly otherAction?: InboxAction
  /** Returns when Renown next looks for new entries (ISO 8601), or null if unknown. */
  nextLook?(ctx: PageContext): Promise<string | null>
}

/** The extension point for entries of the inbox. */
export const inboxEntry: ExtensionPoint<InboxSource> = defineExtensionPoint<InboxSource>({
  id: 'inbox.entry',
  summary: 'Entries of one kind in the inbox of a workspace',
  isOptional: true,
  shape: {
    title: wordingSchema(40),
    order: v.number(),
    icon: v.optional(v.picklist(iconNames)),
    only: v.optional(v.literal('owner')),
    isCounted: v.optional(v.literal(false)),
    list: v.function(),
    action: v.optional(v.looseObject({ label: v.function(), run: v.function() })),
    otherAction: v.optional(v.looseObject({ label: v.function(), run: v.function() })),
    nextLook: v.optional(v.function()),
  },
})
