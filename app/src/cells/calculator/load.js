// A module that the program asks for when it runs; trunk knows only those that are there from the start.
export async function load(address) {
    const sheets = await import(address);
    await sheets.default();
    return sheets;
}
