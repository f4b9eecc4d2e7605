import { listAddress, type PageProps } from 'renown/web'
import type { ShownReview } from './loadReview'
import type { ReviewsData } from './loadReviews'

/** The address of the page. */
export const reviewsPath = '/app/reviews'

/** The props of the page and the selected review. */
export type DetailProps = PageProps<ReviewsData> & { readonly of: ShownReview }

/** Returns the common parts of a form about a review: its id, the next one, and the state of the page. */
export function formOf({ data: { list }, csrf, of: review }: DetailProps, name: string) {
  return {
    action: `${reviewsPath}/${name}`,
    csrf,
    hidden: {
      review: review.id,
      following: list.beside?.following ?? '',
      search: list.search,
      back: listAddress(list, { review: review.id }),
    },
  }
}
