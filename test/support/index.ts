/** What plugin authors test with: `renown/testing`. */
export {}
