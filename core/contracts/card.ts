import type { GenericSchema, InferOutput } from 'valibot'
import * as v from 'valibot'
import { defineExtensionPoint, type Extension, type ExtensionPoint } from './extension'
import type { ActionContext, ActionResult, AnyAction, PageContext } from './page'

/** What a form of a card does. Renown checks that the person may change the row of the page, and that the row is in no demo. */
export interface CardAction<Subject, I extends GenericSchema = GenericSchema> {
  /** A `v.strictObject` of texts: the form's fields. A field that was sent several times is a list of texts. */
  readonly input: I
  /** `recent` asks for the password again, once in ten minutes. `session` unless said otherwise. */
  readonly auth?: 'session' | 'recent'
  /** The notice on the page after it, such as `Automatic replies are on.` */
  readonly done: string
  // biome-ignore lint/suspicious/noConfusingVoidType: an action may end without a word
  run(ctx: ActionContext, subject: Subject, input: InferOutput<I>): Promise<ActionResult | void>
}

/** What a plugin shows on a page of another plugin: data, a component and forms. */
export interface CardDeclaration<Subject, Data = unknown> extends Extension {
  /** Smaller orders come first. */
  readonly order: number
  /** The `.tsx` file whose default export is the component, rendered on the server: `new URL('./card.tsx', import.meta.url)`. */
  readonly module: URL
  /** The whole of what the component is given. Null: this page has no such card. */
  load(ctx: PageContext, subject: Subject): Promise<Data | null>
  /** By name: `POST <path of the page>/<name>`. Unique among the cards of the page. */
  // biome-ignore lint/suspicious/noExplicitAny: a card holds actions of any input
  readonly actions?: Readonly<Record<string, CardAction<Subject, any>>>
}

/** A card of any row and any data. */
// biome-ignore lint/suspicious/noExplicitAny: a page holds cards of any data
export type AnyCard = CardDeclaration<any, any>

/** The fields that every card must have, for the `shape` of an extension point of cards. */
export const cardShape = {
  order: v.number(),
  module: v.instance(URL),
  load: v.function(),
  actions: v.optional(v.record(v.string(), v.looseObject({ done: v.string(), run: v.function() }))),
} as const

/** A button of a home card. */
export interface HomeCardButton {
  /** Name of an action of the card. */
  readonly action: string
  readonly label: string
}

/** What a card says on the home page of a workspace. */
export interface HomeCardContent {
  readonly text: string
  /** `info` is a figure. `todo` and `done` are lines of the list of what to do next. */
  readonly state: 'info' | 'todo' | 'done'
  /** In large letters, such as 1,234. */
  readonly figure?: string
  /** Shown beside what is to do. */
  readonly buttons?: readonly HomeCardButton[]
}

/** A card of the home page. */
export interface HomeCard extends Extension {
  readonly title: string
  /** The page that it leads to: a path under /app. */
  readonly href: string
  /** The words of the link, such as `All reviews`; `title` unless said otherwise. */
  readonly link?: string
  /** Smaller orders come first. */
  readonly order: number
  /** Members do not see it, and cannot run its actions. */
  readonly only?: 'owner'
  /** Null: there is nothing to say. */
  load(ctx: PageContext): Promise<HomeCardContent | null>
  /** By name: `POST /app/home/<name>`. Unique among the cards of the home page. Their forms have no fields. */
  readonly actions?: Readonly<Record<string, AnyAction>>
}

/** What plugins show on the home page of a workspace. */
export const homeCard: ExtensionPoint<HomeCard> = defineExtensionPoint<HomeCard>({
  id: 'home.card',
  summary: 'A figure, or something to do, on the home page of a workspace',
  shape: {
    title: v.string(),
    href: v.pipe(v.string(), v.regex(/^\/app(\/[a-z0-9-]+)*(\?[\w=&%-]*)?$/, 'a path under /app')),
    link: v.optional(v.string()),
    order: v.number(),
    only: v.optional(v.literal('owner')),
    load: v.function(),
    actions: v.optional(
      v.record(v.string(), v.looseObject({ auth: v.picklist(['session', 'recent']), run: v.function() })),
    ),
  },
})
