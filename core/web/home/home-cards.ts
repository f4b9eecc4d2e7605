import { type HomeCard, type HomeCardContent, homeCard } from '../../contracts/card'
import type { PageContext } from '../../contracts/page'
import type { SignedIn } from '../define-page'
import { type AppPageDeps, pageContextOf } from '../page-context'

/** A card with what it says. */
export interface SaidCard {
  readonly card: Pick<HomeCard, 'name' | 'title' | 'href' | 'link' | 'order'>
  readonly content: HomeCardContent
}

/** The cards of the home page, in their order. */
export const homeCardsOf = ({ context }: Pick<AppPageDeps, 'context'>): HomeCard[] =>
  context.registry.extensions(homeCard).toSorted((a, b) => a.order - b.order)

/** The buttons whose actions the person may run. */
function withOwnButtons({ actions = {} }: HomeCard, content: HomeCardContent, role: string): HomeCardContent {
  const { buttons = [] } = content
  const mayRun = (name: string) => {
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined
    return action !== undefined && (action.only === undefined || action.only === role)
  }
  return { ...content, buttons: buttons.filter(({ action }) => mayRun(action)) }
}

/** What the cards say to a person. One that cannot say anything at the moment takes none of the others along. */
export async function sayCards(deps: AppPageDeps, visit: SignedIn): Promise<SaidCard[]> {
  const ctx = pageContextOf(deps, visit)
  if (!ctx) return []
  const offered = homeCardsOf(deps).filter(({ only }) => only === undefined || only === visit.person.role)
  const said = await Promise.all(offered.map((card) => sayCard(deps, ctx, card)))
  return said.filter((one) => one !== null)
}

async function sayCard({ owner }: AppPageDeps, ctx: PageContext, card: HomeCard): Promise<SaidCard | null> {
  try {
    const content = await card.load(ctx)
    return content && { card, content: withOwnButtons(card, content, ctx.person.role) }
  } catch (error) {
    owner.log.error('a home card could not be read', { card: card.name, error: String(error) })
    const text = 'Its state could not be read. Open the page to see more.'
    return { card, content: { text, state: 'todo' } }
  }
}
