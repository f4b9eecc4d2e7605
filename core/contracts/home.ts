import * as v from 'valibot'
import { defineExtensionPoint, type Extension, type ExtensionPoint } from './extension'
import type { AnyAction, PageContext } from './page'

/** A path under /app, with its query. */
const appPath = v.pipe(v.string(), v.regex(/^\/app(\/[a-z0-9-]+)*(\?[\w=&%.~-]*)?$/, 'a path under /app'))
const words = (max: number) => v.pipe(v.string(), v.minLength(1), v.maxLength(max))

/** A button of a home card. */
export interface HomeCardButton {
  /** Name of an action of the card. */
  readonly action: string
  readonly label: string
}

/** How a figure differs from the period before. */
export interface HomeChange {
  /** Such as `▲ 12 %`, `no change`, or `not comparable` where the period before is not known completely. */
  readonly text: string
  /** good and bad only where up or down is good or bad. */
  readonly tone: 'plain' | 'good' | 'bad'
}

/** The course of a figure over its period, drawn as a small line. */
export interface HomeSeries {
  /** One value for each stretch of the period, in order. Null leaves a gap: nothing is known of that stretch. */
  readonly values: readonly (number | null)[]
  /** The same in words, for people who do not see the line. */
  readonly label: string
}

/** What a card says on the home page of a workspace. */
export interface HomeCardContent {
  readonly text: string
  /** `info` is a figure. `todo` and `done` are lines of the list of what to do next. */
  readonly state: 'info' | 'todo' | 'done'
  /** Replaces the title of the card. */
  readonly title?: string
  /** Replaces the page that the card leads to: where the figure is explained. */
  readonly href?: string
  /** Replaces the words of the link. */
  readonly link?: string
  /** In large letters, such as 1,234. */
  readonly figure?: string
  /** The days or the moment that the figure is about, such as `1 Mar to 28 Mar 2026` or `Now`. */
  readonly period?: string
  /** How the figure is counted, in a sentence or two. */
  readonly definition?: string
  /** Left out where the figure has no period before it. */
  readonly change?: HomeChange
  readonly series?: HomeSeries
  /** Buttons next to the text. */
  readonly buttons?: readonly HomeCardButton[]
}

/** What the content of a home card must look like. A card whose content does not fit is shown as unavailable. */
export const homeContentSchema = v.object({
  text: v.pipe(v.string(), v.maxLength(500)),
  state: v.picklist(['info', 'todo', 'done']),
  title: v.optional(words(60)),
  href: v.optional(appPath),
  link: v.optional(words(60)),
  figure: v.optional(words(40)),
  period: v.optional(words(60)),
  definition: v.optional(words(500)),
  change: v.optional(v.object({ text: words(60), tone: v.picklist(['plain', 'good', 'bad']) })),
  series: v.optional(
    v.object({
      values: v.pipe(v.array(v.nullable(v.pipe(v.number(), v.finite()))), v.maxLength(400)),
      label: words(300),
    }),
  ),
  buttons: v.optional(v.array(v.object({ action: v.string(), label: words(60) }))),
})

/** Something that changed since a person last looked. All texts are shown as text, never as HTML. */
export interface HomeNews {
  /** Such as `12 new reviews, 2 below 3 stars`. At most 300 characters. */
  readonly text: string
  /** The page that shows it: a path under /app. */
  readonly href: string
  /** `plain` where it is left out. */
  readonly tone?: 'plain' | 'good' | 'warn' | 'bad'
}

/** What news must look like. A card whose news does not fit is named as unavailable. */
export const homeNewsSchema = v.pipe(
  v.array(
    v.object({
      text: words(300),
      href: appPath,
      tone: v.optional(v.picklist(['plain', 'good', 'warn', 'bad'])),
    }),
  ),
  v.maxLength(20),
)

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
  /** Several contents are several figures. Null: there is nothing to say. An error is shown as a fault, never as 0. */
  load(ctx: PageContext): Promise<HomeCardContent | readonly HomeCardContent[] | null>
  /** What changed since an instant, ISO 8601, the most important first. An error is shown as a fault, and the page does not count as seen. */
  news?(ctx: PageContext, since: string): Promise<readonly HomeNews[]>
  /** By name: `POST /app/home/<name>`. Unique among the cards of the home page. Their forms have no fields. */
  readonly actions?: Readonly<Record<string, AnyAction>>
}

/** What plugins show on the home page of a workspace. */
export const homeCard: ExtensionPoint<HomeCard> = defineExtensionPoint<HomeCard>({
  id: 'home.card',
  summary: 'Figures, news and things to do on the home page of a workspace',
  shape: {
    title: v.string(),
    href: appPath,
    link: v.optional(v.string()),
    order: v.number(),
    only: v.optional(v.literal('owner')),
    load: v.function(),
    news: v.optional(v.function()),
    actions: v.optional(
      v.record(v.string(), v.looseObject({ auth: v.picklist(['session', 'recent']), run: v.function() })),
    ),
  },
})
