// The packed data blocks of the page, opened when they are needed.

const MOST_OPEN = 16;
const openPieces = new Map();
let index = null;
let haystacks = null;
let opening = null;

async function unpacked(id) {
  const block = document.getElementById(id);
  const raw = atob(block.textContent);
  const bytes = new Uint8Array(raw.length);
  for (let place = 0; place < raw.length; place++) bytes[place] = raw.charCodeAt(place);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

async function piece(number) {
  const known = openPieces.get(number);
  openPieces.delete(number);
  const opened = known || unpacked(`piece-${number}`);
  openPieces.set(number, opened);
  if (openPieces.size > MOST_OPEN) openPieces.delete(openPieces.keys().next().value);
  return opened;
}

async function openIndex() {
  const found = await unpacked("index");
  found.samples = found.samples.map(([task, id, title, groups, place, picture, answers], number) => ({
    number, task, id, title, groups, place, picture,
    answers: answers.map((one) => (one === 0 ? null : { state: one[0], codes: one[1], values: one[2], steps: one[3] })),
  }));
  return found;
}

async function texts(sample) {
  const [row, answers] = (await piece(sample.place[0]))[sample.place[1]];
  return { row, answers };
}

// Everything a search looks through, by the number of the sample: id, what was asked, every answer.
function openHaystacks(tell) {
  opening = opening || readHaystacks(tell); // a second key must not unpack everything again
  return opening;
}

async function readHaystacks(tell) {
  const found = new Array(index.samples.length);
  const byPiece = new Map();
  for (const sample of index.samples) {
    if (!byPiece.has(sample.place[0])) byPiece.set(sample.place[0], []);
    byPiece.get(sample.place[0]).push(sample);
  }
  let done = 0;
  for (const [number, samples] of byPiece) {
    const content = await unpacked(`piece-${number}`);
    for (const sample of samples) {
      const [row, answers] = content[sample.place[1]];
      const parts = [sample.id, row.title, row.prompt[0]];
      for (const answer of Object.values(answers)) {
        if (answer.prompt) parts.push(answer.prompt[0]);
        if (answer.text) parts.push(answer.text[0]);
      }
      found[sample.number] = parts.join("\n").toLowerCase();
    }
    done += 1;
    tell(done / byPiece.size);
  }
  haystacks = found;
  return haystacks;
}
