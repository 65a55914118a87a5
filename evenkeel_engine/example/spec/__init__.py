"""The specification in words: a file for each chapter, and the documents that they quote."""

CHAPTERS = ("regions",)
DOCUMENTS = {
    "guide": "HBase's reference guide",
    "javadoc": "Javadoc of HBase's master and its SimpleLoadBalancer",
}
