/** @jsxImportSource ../kit/jsx */
import type { AnyCard } from '../../contracts/card'
import type { AnyPage, PageContext } from '../../contracts/page'
import type { Outcome } from '../kit/browser/page-props'
import type { Children } from '../kit/jsx/jsx-runtime'
import { Card } from '../kit/parts/kit'
import { StateWord } from '../kit/parts/state-word'
import type { AppPageDeps } from './page-context'
import type { FoundRecord } from './page-record'
import type { SignedIn } from './route'

/** Returns the cards of a page, in their order. */
export function cardsOf({ context }: Pick<AppPageDeps, 'context'>, { cards }: AnyPage): AnyCard[] {
  if (!cards) return []
  const all = context.registry.extensions(cards) as readonly AnyCard[]
  return all.toSorted((a, b) => a.order - b.order)
}

interface Shown {
  readonly page: AnyPage
  readonly visit: SignedIn
  readonly ctx: PageContext
  readonly found: FoundRecord
  readonly outcome: Outcome | null
}

/** Renders the cards of a page. A card that cannot be read says so and does not affect the others. */
export async function renderCards(deps: AppPageDeps, shown: Shown): Promise<Children> {
  const parts = await Promise.all(cardsOf(deps, shown.page).map((card) => renderCard(deps, shown, card)))
  return <>{parts}</>
}

async function renderCard(deps: AppPageDeps, { page, visit, ctx, found, outcome }: Shown, card: AnyCard) {
  const Component = deps.bundle.components.get(card.module.href)
  if (!Component) throw new Error(`The card ${card.name} of ${page.path} was not loaded`)
  const loaded = await loadCard(deps, ctx, found, card)
  if (!loaded) return <UnreadCard key={card.name} name={card.name} />
  const { data } = loaded
  if (data === null) return null
  const { param, row, mayChange } = found
  const isOwn = outcome !== null && Object.hasOwn(card.actions ?? {}, outcome.action)
  return (
    <Component
      key={card.name}
      data={data}
      path={page.path}
      csrf={visit.csrf}
      hidden={{ [param]: row.id, back: `${page.path}?${param}=${encodeURIComponent(row.id)}` }}
      mayChange={mayChange}
      outcome={isOwn ? outcome : null}
    />
  )
}

/** Returns null if the card cannot be read. */
async function loadCard({ owner }: AppPageDeps, ctx: PageContext, { row }: FoundRecord, card: AnyCard) {
  try {
    return { data: (await card.load(ctx, row)) as unknown }
  } catch (error) {
    owner.log.error('a card of a page could not be read', { card: card.name, error: String(error) })
    return null
  }
}

const UnreadCard = ({ name }: { readonly name: string }) => (
  <Card title={`${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('-', ' ')}`}>
    <p>
      <StateWord tone="bad">Unavailable</StateWord> This part of the page could not be read. Try again later.
    </p>
  </Card>
)
