import { type PageFile, zipParts } from 'renown/pages'

const names = ['renown.php', 'readme.txt']

/** Returns the WordPress plugin as an archive that WordPress can install. */
export async function pluginZip(): Promise<PageFile> {
  const files = await Promise.all(
    names.map(async (name) => ({
      path: `renown/${name}`,
      parts: [await Bun.file(new URL(`./renown/${name}`, import.meta.url)).text()],
    })),
  )
  const parts = await Array.fromAsync(zipParts(files))
  return { bytes: new Uint8Array(Buffer.concat(parts)), filename: 'renown-wordpress.zip' }
}
