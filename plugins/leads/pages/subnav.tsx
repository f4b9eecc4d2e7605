/** @jsxImportSource renown/web */

const pages = [
  ['/app/mentions', 'All mentions'],
  ['/app/mentions/trackers', 'Trackers'],
] as const

/** Links between the pages about mentions. */
export const Subnav = ({ path }: { readonly path: string }) => (
  <nav class="subnav" aria-label="Mentions">
    {pages.map(([href, label]) => (
      <a key={href} href={href} aria-current={href === path ? 'page' : undefined}>
        {label}
      </a>
    ))}
  </nav>
)
