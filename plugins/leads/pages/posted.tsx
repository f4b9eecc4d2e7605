/** @jsxImportSource renown/web */
import { Moment } from 'renown/web'

/** When a post was written, in words. A post whose source does not say it readably has no known date. */
export const Posted = ({
  at,
  before,
  still,
}: {
  readonly at: string | null
  readonly before?: string
  readonly still?: boolean
}) =>
  at === null ? (
    <span>Date not known</span>
  ) : (
    <Moment at={at} {...(before ? { before } : {})} {...(still ? { still } : {})} />
  )
