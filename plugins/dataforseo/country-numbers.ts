const table =
  'AE784 AL008 AM051 AR032 AT040 AU036 AZ031 BA070 BD050 BE056 BG100 BH048 BO068 BR076 CA124 CH756 CL152 CN156 CO170 CR188 ' +
  'CY196 CZ203 DE276 DK208 DO214 DZ012 EC218 EE233 EG818 ES724 FI246 FR250 GB826 GE268 GH288 GR300 GT320 HK344 HN340 HR191 ' +
  'HU348 ID360 IE372 IL376 IN356 IS352 IT380 JM388 JO400 JP392 KE404 KR410 KW414 KZ398 LB422 LI438 LK144 LT440 LU442 LV428 ' +
  'MA504 MC492 MD498 ME499 MK807 MT470 MX484 MY458 NG566 NI558 NL528 NO578 NZ554 OM512 PA591 PE604 PH608 PK586 PL616 PR630 ' +
  'PT620 PY600 QA634 RO642 RS688 SA682 SE752 SG702 SI705 SK703 SN686 SV222 TH764 TN788 TR792 TW158 TZ834 UA804 UG800 US840 ' +
  'UY858 VE862 VN704 ZA710'

const names = new Intl.DisplayNames(['en'], { type: 'region' })

const numbers = new Map(
  table.split(' ').flatMap((one) => {
    const code = one.slice(0, 2)
    const number = Number(one.slice(2))
    const name = names.of(code)?.toUpperCase() ?? code
    return [
      [code, number],
      [name, number],
    ] as const
  }),
)

/** Returns the ISO 3166-1 numeric code of a country, by its two letters or its English name. */
export const countryNumber = (country: string): number | undefined =>
  numbers.get(country.trim().toUpperCase())
