import * as v from 'valibot'
import {
  type HomeCard,
  type HomeCardContent,
  type HomeNews,
  homeCard,
  homeContentSchema,
  homeNewsSchema,
} from '../../../contracts/home'
import type { PageContext } from '../../../contracts/page'
import type { AppPageDeps } from '../../framework/page-context'
import type { SignedIn } from '../../framework/route'

/** One content of a card. */
export interface SaidCard {
  readonly name: string
  readonly title: string
  readonly href: string
  readonly link: string
  readonly order: number
  /** Null if the card could not be read. This is a fault, never a zero. */
  readonly content: HomeCardContent | null
}

/** The news of all cards. */
export interface SaidNews {
  readonly news: readonly HomeNews[]
  /** Titles of the cards whose news could not be read. */
  readonly unread: readonly string[]
}

/** Returns the cards of the home page, in their order. */
export const homeCardsOf = ({ context }: Pick<AppPageDeps, 'context'>): HomeCard[] =>
  context.registry.extensions(homeCard).toSorted((a, b) => a.order - b.order)

/** Returns the cards that a person sees. */
export const cardsFor = (deps: Pick<AppPageDeps, 'context'>, { person }: Pick<SignedIn, 'person'>) =>
  homeCardsOf(deps).filter(({ only }) => only === undefined || only === person.role)

/** Returns the buttons that the person may use. */
function withOwnButtons({ actions = {} }: HomeCard, content: HomeCardContent, role: string): HomeCardContent {
  const { buttons = [] } = content
  const mayRun = (name: string) => {
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined
    return action !== undefined && (action.only === undefined || action.only === role)
  }
  return { ...content, buttons: buttons.filter(({ action }) => mayRun(action)) }
}

/** Returns the contents of the cards for a person. A card that cannot be read does not affect the others. */
export async function sayCards(
  { owner }: Pick<AppPageDeps, 'owner'>,
  cards: readonly HomeCard[],
  ctx: PageContext,
): Promise<SaidCard[]> {
  const said = await Promise.all(
    cards.map(async (card) => {
      try {
        return await sayCard(card, ctx)
      } catch (error) {
        owner.log.error('a home card could not be read', { card: card.name, error: String(error) })
        return [saidOf(card, null)]
      }
    }),
  )
  return said.flat()
}

async function sayCard(card: HomeCard, ctx: PageContext): Promise<SaidCard[]> {
  const loaded = await card.load(ctx)
  const contents = loaded === null ? [] : [loaded].flat()
  return contents.map((content) => {
    const checked = v.parse(homeContentSchema, content) as HomeCardContent
    return saidOf(card, withOwnButtons(card, checked, ctx.person.role))
  })
}

function saidOf({ name, title, href, link, order }: HomeCard, content: HomeCardContent | null): SaidCard {
  const shown = content?.title ?? title
  return {
    name,
    order,
    content,
    title: shown,
    href: content?.href ?? href,
    link: content?.link ?? link ?? shown,
  }
}

/** Reads what changed since an instant. Lists the cards that cannot be read. */
export async function readNews(
  { owner }: Pick<AppPageDeps, 'owner'>,
  cards: readonly HomeCard[],
  ctx: PageContext,
  since: string,
): Promise<SaidNews> {
  const read = await Promise.all(
    cards.map(async (card) => {
      try {
        const news = v.parse(homeNewsSchema, (await card.news?.(ctx, since)) ?? []) as readonly HomeNews[]
        return { news, unread: [] }
      } catch (error) {
        owner.log.error('news of a home card could not be read', { card: card.name, error: String(error) })
        return { news: [], unread: [card.title] }
      }
    }),
  )
  return { news: read.flatMap(({ news }) => news), unread: read.flatMap(({ unread }) => unread) }
}
