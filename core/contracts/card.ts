import type { GenericSchema, InferOutput } from 'valibot'
import * as v from 'valibot'
import type { Extension } from './extension'
import type { ActionContext, ActionResult, PageContext } from './page'

/**
 * A form of a card. Before it runs, Renown checks that the person may change the row of the page and that the
 * row is not part of a demo.
 */
export interface CardAction<Subject, I extends GenericSchema = GenericSchema> {
  /** A `v.strictObject` of texts: the form's fields. A field that was sent several times is a list of texts. */
  readonly input: I
  /** `recent` asks for the password again, at most once in ten minutes. Default: `session`. */
  readonly auth?: 'session' | 'recent'
  /** The notice on the page after the action, such as `Automatic replies are on.` */
  readonly done: string
  // biome-ignore lint/suspicious/noConfusingVoidType: an action may end without a word
  run(ctx: ActionContext, subject: Subject, input: InferOutput<I>): Promise<ActionResult | void>
}

/** What a plugin shows on a page of another plugin: data, a component and forms. */
export interface CardDeclaration<Subject, Data = unknown> extends Extension {
  /** Sort position. Cards with lower numbers come first. */
  readonly order: number
  /** The `.tsx` file whose default export is the component, rendered on the server: `new URL('./card.tsx', import.meta.url)`. */
  readonly module: URL
  /** Returns all data of the component. Null hides the card. */
  load(ctx: PageContext, subject: Subject): Promise<Data | null>
  /**
   * Actions by name. Each is served at `POST <path of the page>/<name>`. Names are unique among the cards of
   * the page.
   */
  // biome-ignore lint/suspicious/noExplicitAny: a card holds actions of any input
  readonly actions?: Readonly<Record<string, CardAction<Subject, any>>>
}

/** A card with any row and data type. */
// biome-ignore lint/suspicious/noExplicitAny: a page holds cards of any data
export type AnyCard = CardDeclaration<any, any>

/** The fields that every card must have, for the `shape` of an extension point of cards. */
export const cardShape = {
  order: v.number(),
  module: v.instance(URL),
  load: v.function(),
  actions: v.optional(v.record(v.string(), v.looseObject({ done: v.string(), run: v.function() }))),
} as const
