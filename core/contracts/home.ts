import * as v from 'valibot'
import { defineExtensionPoint, type Extension, type ExtensionPoint } from './extension'
import type { AnyAction, PageContext } from './page'

/** A path under /app, with its query. */
const appPath = v.pipe(v.string(), v.regex(/^\/app(\/[a-z0-9-]+)*(\?[\w=&%.~-]*)?$/, 'a path under /app'))
const words = (max: number) => v.pipe(v.string(), v.minLength(1), v.maxLength(max))

/** A button of a home card. */
export interface HomeCardButton {
  /** The name of one of the card's actions. */
  readonly action: string
  readonly label: string
}

/** The change of a figure since the previous period. */
export interface HomeChange {
  /**
   * Such as `▲ 12 %` or `no change`. Write `not comparable` if the previous period is not known completely.
   */
  readonly text: string
  /** Use `good` and `bad` only if a rise or fall is good or bad. */
  readonly tone: 'plain' | 'good' | 'bad'
}

/** The values of a figure over its period, drawn as a small line. */
export interface HomeSeries {
  /** One value for each part of the period, in order. Null leaves a gap. */
  readonly values: readonly (number | null)[]
  /** Describes the line in words, for people who do not see it. */
  readonly label: string
}

/** What a card shows on the home page of a workspace. */
export interface HomeCardContent {
  readonly text: string
  /**
   * `info` is a figure. `waiting` is work that waits for a person: `figure` says how much, and `text` what it is. `todo`
   * and `done` are lines of the list of what to do next.
   */
  readonly state: 'info' | 'waiting' | 'todo' | 'done'
  /** Replaces the title of the card. */
  readonly title?: string
  /** Replaces the page that the card links to. Link to the page that explains the figure. */
  readonly href?: string
  /** Replaces the words of the link. */
  readonly link?: string
  /** The value in large letters, such as 1,234. */
  readonly figure?: string
  /** The days or the moment that the figure is about, such as `1 Mar to 28 Mar 2026` or `Now`. */
  readonly period?: string
  /** How the figure is counted, in a sentence or two. */
  readonly definition?: string
  /** Left out if there is no previous period. */
  readonly change?: HomeChange
  readonly series?: HomeSeries
  /** Buttons next to the text. */
  readonly buttons?: readonly HomeCardButton[]
}

/** The schema of the content of a home card. A card whose content does not match is shown as unavailable. */
export const homeContentSchema = v.object({
  text: v.pipe(v.string(), v.maxLength(500)),
  state: v.picklist(['info', 'waiting', 'todo', 'done']),
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

/** Something that changed since the person's last visit. All texts are shown as text, never as HTML. */
export interface HomeNews {
  /** Such as `12 new reviews, 2 below 3 stars`. At most 300 characters. */
  readonly text: string
  /** The page that shows it: a path under /app. */
  readonly href: string
  /** Default: `plain`. */
  readonly tone?: 'plain' | 'good' | 'warn' | 'bad'
}

/** The schema of news. A card whose news does not match is listed as unavailable. */
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
  /** The page that it links to: a path under /app. */
  readonly href: string
  /** The text of the link, such as `All reviews`. Default: `title`. */
  readonly link?: string
  /** Sort position. Cards with lower numbers come first. The home page shows the first six figures. */
  readonly order: number
  /** Members do not see it, and cannot run its actions. */
  readonly only?: 'owner'
  /** Each content is one figure. Null shows nothing. An error is shown as a fault, never as 0. */
  load(ctx: PageContext): Promise<HomeCardContent | readonly HomeCardContent[] | null>
  /**
   * Returns what changed since an instant (ISO 8601), the most important first. After an error the page shows
   * a fault and does not count as seen.
   */
  news?(ctx: PageContext, since: string): Promise<readonly HomeNews[]>
  /**
   * Actions by name. Each is served at `POST /app/home/<name>`. Names are unique among the cards of the home
   * page. Their forms have no fields.
   */
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
