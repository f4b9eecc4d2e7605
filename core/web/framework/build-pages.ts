import type { AnyCard } from '../../contracts/card'
import type { Registry } from '../../registry/registry'
import { type Bundle, buildBundle, type PageSource } from './bundle'

/** Builds the scripts of all pages that plugins declare, and the components that are rendered only on the server. */
export function buildPages(registry: Registry): Promise<Bundle> {
  const pages = [...registry.pages.values()].map((page) => ({
    source: { ...sourceOf(page), plugin: registry.pluginOf('page', page.path) ?? '' },
    isStatic: page.isStatic === true,
  }))
  return buildBundle(
    pages.filter(({ isStatic }) => !isStatic).map(({ source }) => source),
    [
      ...pages.filter(({ isStatic }) => isStatic).map(({ source }) => source),
      ...cardsOf(registry),
      ...publicOf(registry),
    ],
  )
}

const sourceOf = ({ path, module, style }: Omit<PageSource, 'plugin'>) => ({ path, module, style })

/** Returns the pages for people without an account. */
const publicOf = ({ plugins }: Registry): PageSource[] =>
  [...plugins.values()].flatMap(({ name: plugin, publicPages = {} }) =>
    Object.entries(publicPages).flatMap(([name, { page }]) =>
      page ? [{ path: `/p/${name}`, module: page.module, style: page.style, plugin }] : [],
    ),
  )

/** Returns the cards of the extension points that some page shows. */
function cardsOf({ pages, plugins }: Registry): PageSource[] {
  const points = new Set([...pages.values()].map(({ cards }) => cards?.id))
  return [...plugins.values()].flatMap(({ name, provides = [] }) =>
    provides
      .filter(({ point }) => points.has(point))
      .map(({ extension }): PageSource => {
        const { name: path, module } = extension as AnyCard
        return { path, module, plugin: name, isCard: true }
      }),
  )
}
