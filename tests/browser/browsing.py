"""What tests in a browser share: pages that note what goes wrong in them, and what axe finds."""

from axe_playwright_python.sync_playwright import Axe


class Pages:
    """Opens pages, and notes all that they say in the console and ask for elsewhere."""

    def __init__(self, browser) -> None:
        self.browser = browser
        self.contexts = []
        self.wrong = []  # errors and warnings
        self.asked = []  # addresses

    def open(self, address=None, *, width=1000, height=800, **settings):
        """Open a page; settings as for playwright's `new_context`."""
        context = self.browser.new_context(viewport={"width": width, "height": height}, **settings)
        self.contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.on("console", lambda said: said.type in {"error", "warning"} and self.wrong.append(said.text))
        page.on("request", lambda request: self.asked.append(request.url))
        if address is not None:
            page.goto(address)
        return page


def violations(page) -> list[str]:
    """List what axe finds in a page."""
    found = Axe().run(page).response["violations"]
    return [f"{each['id']}: {node['html'][:200]} {node['failureSummary']}" for each in found for node in each["nodes"]]
