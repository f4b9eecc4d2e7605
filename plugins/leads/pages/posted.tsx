/** @jsxImportSource renown/web */
import { Moment } from 'renown/web'

/** When a post was written, in words. A post whose source does not say it readably has no known date. */
export const Posted = ({
  at,
  foundAt,
  before,
  still,
}: {
  readonly at: string | null
  /** Shown if the date is not known. */
  readonly foundAt?: string
  readonly before?: string
  readonly still?: boolean
}) =>
  at === null ? (
    <span>
      Date not known
      {foundAt !== undefined && (
        <>
          {', found '}
          <Moment at={foundAt} still />
        </>
      )}
    </span>
  ) : (
    <Moment at={at} {...(before ? { before } : {})} {...(still ? { still } : {})} />
  )
