import { defineExtensionPoint, type Row } from 'renown'
import { type CardAction, type CardDeclaration, cardShape, type PageContext } from 'renown/pages'
import type { BusinessLocation } from 'renown/records'
import * as v from 'valibot'

/** A business location, as its row is stored. */
export type Location = Row<typeof BusinessLocation>

/** A column in the list of locations. */
export interface LocationColumn {
  /** The heading. */
  readonly title: string
  /** The list that has it. */
  readonly of: 'clients' | 'prospects'
  /** Returns a text for each of these locations, by id. */
  texts(ctx: PageContext, locationIds: readonly string[]): Promise<ReadonlyMap<string, string>>
}

/** A card on the page of a location, and optionally a column in the list. */
// biome-ignore lint/suspicious/noExplicitAny: the page shows cards of any data
export interface LocationCard<Data = any> extends CardDeclaration<Location, Data> {
  readonly column?: LocationColumn
}

/** The extension point for cards on the page of a location. */
export const locationCard = defineExtensionPoint<LocationCard>({
  id: 'locations.card',
  summary: 'A card on the page of a location, with its forms',
  isOptional: true,
  shape: {
    ...cardShape,
    column: v.optional(
      v.looseObject({
        title: v.string(),
        of: v.picklist(['clients', 'prospects']),
        texts: v.function(),
      }),
    ),
  },
})

/** Declares a card of the page of a location. */
export const defineLocationCard = <Data>(card: LocationCard<Data>): LocationCard => card

/** Declares a form of such a card: its input and what it does. */
export const defineLocationAction = <I extends v.GenericSchema>(
  action: CardAction<Location, I>,
): CardAction<Location, I> => action
