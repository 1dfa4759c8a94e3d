// Reads the words that spreadsheets write for TRUE and FALSE: those of Excel and LibreOffice in all their languages.

const TRUE = `
  true yes 1 wahr vrai verdadero vero verdadeiro waar sand sant sann tosi prawda pravda igaz истина правда ісціна істина doğru dogry
  αληθησ αληθεσ αληθές αληθής cert exacte egia egiazkoa adevărat вярно точно istina točno tačno tacno тачно resnica resnično prav tõene
  patiess tiesa teisinga teisingai benar đúng จริง ақиқат шын rétt satt sant rast kweli ճշմարիտ ჭეშმარიტი सही सत्य ठीक صح صحيح true
  درست 真 true wier fìor`;
const FALSE = `
  false no 0 falsch faux falso onwaar falsk falskt usann epätosi fałsz nepravda hamis ложь неправда хлусня хибність хиба брехня yanlış ýalňyş
  ψευδησ ψευδεσ ψευδές ψευδής fals faus gezurra faltsua невярно неточно неистина neistina netočno netačno netacno нетачно neresnica neresnično
  neprav ni_res väär aplams netiesa klaidinga neteisingai salah palsu sai เท็จ жалған rangt ósatt usant şaş sikweli կեղծ მცდარი गलत असत्य
  बेठीक خطأ خاطئ غلط 假 net_wier breug`;

const splitWords = (list: string) =>
  new Set(
    list
      .trim()
      .split(/\s+/)
      .map((word) => foldCase(word.replace('_', ' '))),
  );
// Accents are removed, because Greek capitals have none and because Turkish has two letters i that upper case would mix up.
const foldCase = (word: string) => word.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase();
const [TRUE_WORDS, FALSE_WORDS] = [splitWords(TRUE), splitWords(FALSE)];

/** @returns undefined if the text is no such word */
export function parseBooleanWord(cell: string): boolean | undefined {
  const word = foldCase(cell.trim());
  if (TRUE_WORDS.has(word)) return true;
  return FALSE_WORDS.has(word) ? false : undefined;
}
