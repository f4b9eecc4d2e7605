/** @jsxImportSource renown/web */
import type { TypedIdInput } from 'renown/records'

/** What an id on a platform is for, and the page that finds it. */
export function IdHint({ hint, finder }: Pick<TypedIdInput, 'hint' | 'finder'>) {
  return (
    <>
      {hint}
      {finder && (
        <>
          {' '}
          <a href={finder.href} rel="noopener noreferrer nofollow">
            {finder.label}
          </a>
          : {finder.hint}
        </>
      )}
    </>
  )
}
