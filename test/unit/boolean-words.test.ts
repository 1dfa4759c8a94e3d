// The words for yes and no in cells of imported lists: each spreadsheet has those of its language.
import { parseBooleanWord } from '../../src/farm/stock/boolean-words';

test.each([
  ['TRUE FALSE', 'yes no', '1 0', 'WAHR FALSCH', 'VRAI FAUX', 'VERDADERO FALSO', 'VERO FALSO', 'VERDADEIRO FALSO'],
  ['WAAR ONWAAR', 'SAND FALSK', 'SANT FALSKT', 'SANN USANN', 'TOSI EPÄTOSI', 'PRAWDA FAŁSZ', 'PRAVDA NEPRAVDA'],
  ['IGAZ HAMIS', 'ИСТИНА ЛОЖЬ', 'ІСТИНА ХИБНІСТЬ', 'DOĞRU YANLIŞ', 'doğru yanlış', 'ΑΛΗΘΗΣ ΨΕΥΔΗΣ', 'αληθής ψευδής'],
  ['CERT FALS', 'ADEVĂRAT FALS', 'PATIESS APLAMS', 'TEISINGA KLAIDINGA', 'TÕENE VÄÄR', 'BENAR SALAH', 'ĐÚNG SAI'],
])('%s and other words are read as true and false', (...pairs) => {
  for (const pair of pairs) {
    const [yes = '', no = ''] = pair.split(' ');
    expect([pair, parseBooleanWord(` ${yes}\u00a0`), parseBooleanWord(no)]).toEqual([pair, true, false]);
  }
});

test('any other text is neither', () => {
  for (const text of ['', 'maybe', '2', 'x', 'truefalse']) expect(parseBooleanWord(text)).toBeUndefined();
});
